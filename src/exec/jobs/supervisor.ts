import { OWN_PID_SPACE } from "../../base/process-identity.ts";
import { systemProgram } from "../sandbox/system-programs.ts";
import { LOG_FILE } from "./log.ts";

export const PROCESS_FILE = "process";
export const EXIT_FILE = "exit";
/** A FIFO: what the command prints goes through it to the log. */
export const OUTPUT_FILE = "output";
export const INPUT_FILE = "input";
/** A FIFO: whoever opens it for writing closes the standard input of the job. */
export const INPUT_END_FILE = "input-end";

/**
 * Supervises a job that outlives us, in the shell, which takes 130 KB. It writes who it is before it starts the rest of
 * its words, and their status afterwards. PATH is the command's, so programs are named by their paths.
 *
 * - It survives signals to its group, which end the command, and the end of `tee`, to note how the command ended. A
 *   trap is not inherited.
 * - It writes over what exists (`<>` does not truncate), so that a full disk cannot swallow it.
 * - `tee` copies the output to the log, reads on when the disk is full, and ends after the last process that writes.
 *   What the command leaves running may hold its pipe, so nobody waits longer than a second for that.
 * - A second process holds the input open between two writers, until the FIFO of its end is opened.
 */
const SUPERVISOR = `
dir=$1 space=$2 tee=$3 sleep=$4
shift 4
umask 077
read -r stat <"/proc/$$/stat"
note() { printf '%s\\n' "$space.$$.\${20:-0}" 1<>"$dir/${PROCESS_FILE}"; }
note \${stat##*) }
trap : HUP INT QUIT TERM PIPE
exec 9>&1
if [ -p "$dir/${OUTPUT_FILE}" ]; then
  exec 7<>"$dir/${OUTPUT_FILE}" 8<"$dir/${OUTPUT_FILE}" 9>"$dir/${OUTPUT_FILE}" 7>&-
  (trap '' HUP INT QUIT TERM; exec "$tee" -a "$dir/${LOG_FILE}" <&8 8<&- 9>&- >/dev/null 2>&1) &
  pump=$!
  exec 8<&-
fi
if [ -p "$dir/${INPUT_FILE}" ]; then
  (exec 7<>"$dir/${INPUT_FILE}" 9>&-; read -r end <"$dir/${INPUT_END_FILE}") &
  input=$!
  "$@" <"$dir/${INPUT_FILE}" >&9 2>&9 9>&-
else
  "$@" >&9 2>&9 9>&-
fi
status=$?
exec 9>&- 2>/dev/null
if [ -n "$pump" ]; then
  trap late=1 ALRM
  ("$sleep" 1; kill -ALRM $$) &
  while wait "$pump"; [ "$?" -gt 128 ] && [ -z "$late" ] && kill -0 "$pump"; do :; done
  kill "$!"
fi
printf '%s\\n' "$status" 1<>"$dir/${EXIT_FILE}"
[ -z "$input" ] || kill "$input"
`;

/** Returns the first words of a supervised command; those of the command follow. */
export const supervisorOf = (directory: string): readonly [string, ...string[]] => [
  "/bin/sh",
  "-c",
  SUPERVISOR,
  "holdfast-job",
  directory,
  OWN_PID_SPACE,
  systemProgram("tee"),
  systemProgram("sleep"),
];
