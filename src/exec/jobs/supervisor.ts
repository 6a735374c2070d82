import { OWN_PID_SPACE } from "../../base/process-identity.ts";

export const PROCESS_FILE = "process";
export const EXIT_FILE = "exit";
export const INPUT_FILE = "input";
/** A FIFO: whoever opens it for writing closes the standard input of the job. */
export const INPUT_END_FILE = "input-end";

/**
 * Supervises a job that outlives us, in the shell, which takes 130 KB. It writes who it is before it starts the rest of
 * its words, and their status afterwards. It uses no program: PATH is the command's.
 *
 * - It survives signals to its group, which end the command, to note how that ended. A trap is not inherited.
 * - It writes over what exists (`<>` does not truncate), so that a full disk cannot swallow it.
 * - A second process holds the input open between two writers, until the FIFO of its end is opened.
 */
const SUPERVISOR = `
dir=$1 space=$2
shift 2
umask 077
read -r stat <"/proc/$$/stat"
note() { printf '%s\\n' "$space.$$.\${20:-0}" 1<>"$dir/${PROCESS_FILE}"; }
note \${stat##*) }
trap : HUP INT QUIT TERM
if [ -p "$dir/${INPUT_FILE}" ]; then
  (exec 3<>"$dir/${INPUT_FILE}"; read -r end <"$dir/${INPUT_END_FILE}") &
  "$@" <"$dir/${INPUT_FILE}"
else
  "$@"
fi
printf '%s\\n' "$?" 1<>"$dir/${EXIT_FILE}"
[ -z "$!" ] || kill "$!" 2>/dev/null
`;

/** Returns the first words of a supervised command; those of the command follow. */
export const supervisorOf = (directory: string): readonly [string, ...string[]] => [
  "/bin/sh",
  "-c",
  SUPERVISOR,
  "holdfast-job",
  directory,
  OWN_PID_SPACE,
];
