import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Reads the changes of all workspaces in a state home, without the code of the product. */
type Line = Readonly<Record<string, unknown>>;

/** Returns the tags of unfinished change sets. */
export function unfinishedIn(home: string): readonly string[] {
  const lines = [...filesIn(home, "pending"), ...filesIn(home, "waiting")].flatMap(linesOf);
  const isOver = (tag: unknown) =>
    lines.some((line) => line["tag"] === tag && (line["isOver"] === true || isAllDone(line)));
  const tags = lines.map(({ tag }) => tag).filter((tag) => typeof tag === "string");
  return [...new Set(tags)].filter((tag) => !isOver(tag));
}

const isAllDone = ({ litter }: Line): boolean => Array.isArray(litter) && litter.length === 0;

/** Returns the ids of the recorded changes. */
export const recordedIn = (home: string): readonly string[] =>
  [...filesIn(home, "pending"), ...filesIn(home, "changes")]
    .flatMap(linesOf)
    .flatMap(({ record }) => (record as { readonly id: string } | undefined)?.id ?? [])
    .toSorted();

/** Makes a recorded change older. */
export function age(home: string, id: unknown, byMs: number): void {
  for (const file of [...filesIn(home, "pending"), ...filesIn(home, "changes")]) {
    const lines = readFileSync(file, "utf8").split("\n");
    const aged = lines.map((line) =>
      line.includes(`"record":{"id":"${String(id)}"`)
        ? line.replace(/"timeMs":(\d+)/, (_, ms: string) => `"timeMs":${sameLength(ms, Number(ms) - byMs)}`)
        : line,
    );
    writeFileSync(file, aged.join("\n"));
  }
}

/** Keeps the length of the file: a process that has it open must find its end where it was. */
const sameLength = (was: string, is: number): string => String(is).padEnd(was.length);

const filesIn = (home: string, folder: string): readonly string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith(`/${folder}`))
    .map((entry) => join(entry.parentPath, entry.name));

function linesOf(file: string): readonly Line[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Line];
      } catch {
        return [];
      }
    });
}
