import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { OWN_NAMES } from "../../base/product.ts";
import { objectStorage } from "../objects/object-storage.ts";
import type { Key, ObjectFacts, When } from "../objects/object-store.ts";
import type { MountableStorage } from "../storage.ts";
import { directoryObjects, type DirectoryTree } from "./directory-objects.ts";
import { withMemoryBackups } from "./memory-backups.ts";

/** Runs a script of the POSIX shell in a container, with words as $1, $2 and so on. */
export type RunScript = (script: string, words: readonly string[], input?: Uint8Array) => Promise<ScriptResult>;

export interface ScriptResult {
  readonly code: number;
  readonly output: Buffer;
}

/** Makes a storage of a directory of a container's own files. History and backups end with the process. */
export const containerStorage = (run: RunScript, directory: string): MountableStorage =>
  objectStorage(withMemoryBackups(directoryObjects(containerTree(run, directory))));

/**
 * Makes a tree of a directory in a container. Our own writes wait for each other; what a program of the container
 * writes between the check and the rename of one script is lost.
 */
function containerTree(run: RunScript, directory: string): DirectoryTree {
  const call = async (script: string, key: Key, words: readonly string[] = [], input?: Uint8Array) =>
    requireDone(await run(COMMON + script, [directory, ...splitKey(key), ...words], input), key);
  const inOrder = createQueue();
  return {
    isConditional: true,
    async head(key) {
      const output = await call(HEAD, key);
      return output && factsOf(key, output.toString());
    },
    get: (key, tag, from, most) => call(GET, key, [tag, String(from + 1), String(most)]),
    put: (key, content, when) =>
      inOrder(async () => {
        const source = content instanceof Uint8Array ? "" : content.copyOf;
        const temporary = `${OWN_NAMES}${process.pid}-${++lastTemporary}`;
        const input = content instanceof Uint8Array ? content : undefined;
        const output = await call(PUT, key, [expected(when), temporary, source], input);
        return output && factsOf(key, output.toString());
      }),
    remove: (key, match) => inOrder(async () => (await call(REMOVE, key, [match])) !== null),
    async list(key, depth) {
      const output = await call(LIST, `${key}.`, [depth === "entries" ? "1" : String(LIMITS.pathSegments)]);
      return output && listedFacts(key, output.toString());
    },
    makeDirectory: (key) =>
      inOrder(async () => {
        if (await call(MAKE, `${key}.`)) return;
        throw new Fault("no_permission", `Cannot create ${JSON.stringify(key)}: the container refuses it`);
      }),
    removeDirectory: (key) => inOrder(async () => (await call(REMOVE_DIRECTORY, key)) !== null),
  };
}

/** Returns a function that runs one job after the other. */
function createQueue(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job);
    last = next.catch(() => {});
    return next;
  };
}

let lastTemporary = 0;

/** Splits a key into its directory and the last name. */
function splitKey(key: Key): readonly [above: string, name: string] {
  const path = key.replace(/\/$/, "");
  const slash = path.lastIndexOf("/");
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}

const expected = (when: When): string => ("match" in when ? when.match : "");

/** Lists the exit codes by which scripts answer. */
const [ABSENT, SPECIAL, GONE] = [10, 11, 12];

function requireDone({ code, output }: ScriptResult, key: Key): Buffer | null {
  if (code === 0) return output;
  if (code === ABSENT) return null;
  if (code === SPECIAL)
    throw new Fault("special_file", `Cannot use ${JSON.stringify(key)}: it is a link or no regular file`);
  if (code === GONE)
    throw new Fault("root_gone", "Cannot use the container: the directory of the workspace is not there");
  throw new Fault("io", `Cannot use ${JSON.stringify(key)}: a command in the container ended with ${code}`);
}

/**
 * Enters the directory of a key, refusing links on the way, and defines what the scripts share. A tag is inode, size,
 * and the times of content and inode. $1 is the directory of the storage, $2 that of the key in it, and $3 the name.
 */
const COMMON = `
cd -P -- "$1" || exit ${GONE}
top=$PWD
above="$top\${2:+/$2}"
enter() { cd -P -- "$above" 2>/dev/null || exit ${ABSENT}; [ "$PWD" = "$above" ] || exit ${SPECIAL}; }
raw() { stat -c '%F|%s|%Y|%i-%s-%y-%z' "./$1" 2>/dev/null; }
tag() { t=$(raw "$1"); echo "\${t##*|}"; }
make() {
  rest=$above/
  rest=\${rest#"$top"/}
  while [ -n "$rest" ]; do
    [ ! -L "./\${rest%%/*}" ] || exit ${SPECIAL}
    mkdir -- "./\${rest%%/*}" 2>/dev/null
    cd -P -- "./\${rest%%/*}" 2>/dev/null || exit ${ABSENT}
    rest=\${rest#*/}
  done
}
check() {
  [ ! -L "./$1" ] || exit ${SPECIAL}
  [ -e "./$1" ] && [ ! -d "./$1" ] || exit ${ABSENT}
  [ -f "./$1" ] || exit ${SPECIAL}
}
`;

const HEAD = `enter; check "$3"; raw "$3"`;

const GET = `enter; check "$3"
[ "$(tag "$3")" = "$4" ] || exit ${ABSENT}
tail -c "+$5" -- "./$3" | head -c "$6"
[ "$(tag "$3")" = "$4" ] || exit ${ABSENT}`;

/** Fills a temporary file beside the key, checks, and renames it; a new one is linked, which never replaces another. */
const PUT = `
if [ -n "$6" ]; then [ -f "$top/$6" ] && [ "$(readlink -f -- "$top/$6")" = "$top/$6" ] || exit ${ABSENT}; fi
if [ -z "$4" ]; then make; fi
enter
trap 'rm -f "./$5"' EXIT
if [ -n "$6" ]; then cp -- "$top/$6" "./$5" || exit 13; else cat >"./$5" || exit 13; fi
if [ -z "$4" ]; then
  if [ -L "./$3" ]; then exit ${SPECIAL}; fi
  ln -- "./$5" "./$3" 2>/dev/null || exit ${ABSENT}
else
  check "$3"
  chmod "$(stat -c %a "./$3")" "./$5"
  [ "$(tag "$3")" = "$4" ] || exit ${ABSENT}
  mv -f -- "./$5" "./$3" || exit 13
fi
rm -f "./$5"
raw "$3"`;

const REMOVE = `enter; check "$3"
[ "$(tag "$3")" = "$4" ] || exit ${ABSENT}
rm -f -- "./$3" || exit 13`;

const MAKE = "make";

const REMOVE_DIRECTORY = `enter
[ ! -L "./$3" ] || exit ${SPECIAL}
rmdir -- "./$3" 2>/dev/null || exit ${ABSENT}`;

/**
 * Prints a line for each entry, with facts and path. Names with line feeds follow, each entry ended by NUL: a process
 * for each is too slow for all.
 */
const LIST = `enter
lf='
'
find . -mindepth 1 -maxdepth "$4" ! -path "*$lf*" \\( -type f -o -type d \\) -exec stat -c '%F|%s|%Y|%i-%s-%y-%z|%n' {} +
find . -mindepth 1 -maxdepth "$4" -path "*$lf*" \\( -type f -o -type d \\) -exec sh -c '
for path; do printf "\\0%s" "$(stat -c "%F|%s|%Y|%i-%s-%y-%z|" "$path")$path"; done' sh {} +
exit 0`;

function factsOf(key: Key, text: string): ObjectFacts {
  const [kind = "", size, seconds, tag = ""] = text.trim().split("|");
  return { key, size: kind === "directory" ? 0 : Number(size), modifiedMs: Number(seconds) * 1000, tag };
}

/** Parses what LIST prints. */
function listedFacts(directory: Key, output: string): readonly ObjectFacts[] {
  const [lines = "", ...others] = output.split("\0");
  return [...lines.split("\n"), ...others].flatMap((text) => {
    const [, facts, path] = /^((?:[^|]*\|){3}[^|]*)\|\.\/(.*)$/s.exec(text) ?? [];
    if (facts === undefined || path === undefined) return [];
    return [factsOf(`${directory}${path}${facts.startsWith("directory|") ? "/" : ""}`, facts)];
  });
}
