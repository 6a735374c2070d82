import { exitOfStatus, statusOfExit } from "../exit-status.ts";
import type { NewTerminal, Terminal } from "./terminal.ts";

/**
 * Runs the rest of its words in a terminal of `script` (util-linux), which takes them as one text for a shell. The size
 * is set and the device noted from inside, before the command starts.
 */
const IN_SCRIPT = `
quoted() {
  for word; do
    done=
    while case $word in (*\\'*) ;; (*) false ;; esac; do
      done="$done\${word%%\\'*}'\\\\''"
      word=\${word#*\\'}
    done
    printf "'%s' " "$done$word"
  done
}
device=$1 size="columns $2 rows $3"
shift 3
export SHELL=/bin/sh
exec script -qfec "stty $size; tty >$(quoted "$device"); exec $(quoted "$@")" /dev/null
`;

/** Opens a terminal that needs nothing of ours while it runs: it reads its standard input and writes to the log. */
export const openScript = ({ size, log, deviceFile }: NewTerminal): Terminal => ({
  kind: "script",
  streams: {
    input: "pipe",
    output: log,
    isTerminal: true,
    supervisor: ["/bin/sh", "-c", IN_SCRIPT, "holdfast-terminal", deviceFile, String(size.columns), String(size.rows)],
  },
  // `script` reports a signal as a shell does.
  attach: (command) => ({
    ...command,
    exited: command.exited.then((exit) => exitOfStatus(statusOfExit(exit))),
  }),
  close: () => {},
});
