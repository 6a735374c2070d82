import type { Duplex } from "node:stream";
import { connectShell, SHELL_ANSWERS } from "./attached-shell.ts";
import { type ListedMount, parseMountInfo } from "../mountinfo.ts";

/** The variable by which processes of a command are found: they inherit it. */
export const PROCESS_MARK = "HOLDFAST_PROCESS";

/**
 * A shell of ours in a container of somebody else. It ends commands there: every process with the mark of the command
 * in its environment, all in the session of one, and all that these started. A process is missed only if it has left
 * the session, was started without the mark, and its parent is gone. When we die, its input ends, and it ends all that
 * we started. What is killed is looked for again until nothing is found: processes start others meanwhile. Not every
 * grep looks beyond a zero byte.
 */
export const GUARD_SCRIPT = `${SHELL_ANSWERS}
if printf 'a\\0b' | grep -qF b; then
  marked() { grep -lsF -- "$1" /proc/[0-9]*/environ; }
else
  marked() {
    for file in /proc/[0-9]*/environ; do
      { tr '\\0' ' ' <"$file"; } 2>/dev/null | grep -qF -- "$1" && echo "$file"
    done
  }
fi
find_processes() {
  found=" "
  for file in $(marked "$1"); do
    file=\${file#/proc/}
    found="$found\${file%/environ} "
  done
  before=
  while [ "$before" != "$found" ]; do
    before=$found
    for directory in /proc/[0-9]*; do
      { read -r line <"$directory/stat"; } 2>/dev/null || continue
      set -- \${line##*) }
      [ "$1" != Z ] || continue
      case "$found" in
        *" \${directory#/proc/} "*) ;;
        *" $2 "* | *" $4 "*) found="$found\${directory#/proc/} " ;;
      esac
    done
  done
  [ "$found" != " " ]
}
signal_all() {
  tries=0
  while find_processes "$2" && [ "$tries" -lt 100 ]; do
    kill -s "$1" $found 2>/dev/null
    [ "$1" = KILL ] || break
    tries=$((tries + 1))
  done
}
trap "" HUP INT QUIT TERM
while read -r request signal target; do
  case $request in
    mounts) mounts; continue ;;
    one) kill -s "$signal" "$target" 2>/dev/null ;;
    all) signal_all "$signal" "$target" ;;
  esac
  answer
done
signal_all KILL "$1"`;

export interface Guard {
  mounts(): Promise<readonly ListedMount[]>;
  /** Signals a process of the container, or all that have a mark. */
  kill(signal: string, target: number | { readonly mark: string }): Promise<void>;
  isAlive(): boolean;
  close(): void;
}

/** Talks to the guard to which the stream is attached. */
export function connectGuard(stream: Duplex): Guard {
  const { ask, isAlive, close } = connectShell(stream);
  return {
    mounts: async () => parseMountInfo(await ask("mounts")),
    async kill(signal, target) {
      const name = signal.replace(/^SIG/, "");
      await ask(typeof target === "number" ? `one ${name} ${target}` : `all ${name} ${target.mark}`);
    },
    isAlive,
    close,
  };
}
