import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a state home says of changes, read by other eyes than the product's. All its workspaces are looked at. */
type Line = Readonly<Record<string, unknown>>;

/** Tags of change sets with something left to do. */
export function unfinishedIn(home: string): readonly string[] {
  const lines = filesIn(home, "pending").flatMap(linesOf);
  const isOver = (tag: unknown) =>
    lines.some((line) => line["tag"] === tag && (line["isOver"] === true || isAllDone(line)));
  return [...new Set(lines.map(({ tag }) => String(tag)))].filter((tag) => !isOver(tag));
}

const isAllDone = ({ litter }: Line): boolean => Array.isArray(litter) && litter.length === 0;

/** Ids of the changes that are recorded. */
export const recordedIn = (home: string): readonly string[] =>
  [...filesIn(home, "pending"), ...filesIn(home, "changes")]
    .flatMap(linesOf)
    .flatMap(({ record }) => (record as { readonly id: string } | undefined)?.id ?? [])
    .toSorted();

/** Makes a recorded change so much older. */
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

/** Whoever has the file open must find its end where it was. */
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
