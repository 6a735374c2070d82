import { collectBytes } from "../../../base/collect-bytes.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import type { StreamedTree } from "../../../storage/streamed-tree.ts";
import type { Change } from "../change.ts";
import { countedIn, pathBelow } from "../streamed-entries.ts";

/** A change whose content does not have to be read first. */
export type PlainChange = Exclude<Change, { kind: "unpack" }>;

type Unpack = Extract<Change, { kind: "unpack" }>;

/** Turns streamed trees into writes of whole files, which is all that an object store knows. They are held in memory. */
export async function withUnpackedWrites(changes: readonly Change[]): Promise<readonly PlainChange[]> {
  const trees = new Set(changes.flatMap((change) => (change.kind === "unpack" ? [change.tree] : [])));
  const contents = new Map<StreamedTree, Contents>();
  for (const tree of trees) contents.set(tree, await contentsOf(tree));
  return changes.flatMap((change) =>
    change.kind === "unpack" ? writesOf(change, contents.get(change.tree) as Contents) : [change],
  );
}

type Contents = ReadonlyMap<string, Buffer>;

async function contentsOf(tree: StreamedTree): Promise<Contents> {
  const contents = new Map<string, Buffer>();
  requireFew(countedIn(tree.entries).bytes);
  let total = 0;
  await tree.withContents(async (bytesOf) => {
    for (const entry of tree.entries.filter(({ kind }) => kind === "file")) {
      const same = entry.copyOf === undefined ? undefined : contents.get(entry.copyOf);
      const content = same ?? (await collectBytes(bytesOf(entry)));
      requireFew((total += content.length));
      contents.set(entry.path, content);
    }
  });
  return contents;
}

function requireFew(bytes: number): void {
  if (bytes <= LIMITS.editBytes) return;
  throw new Fault("too_large", `Cannot write ${bytes} bytes at once: this storage holds them in memory`, {
    hint: `At most ${LIMITS.editBytes} bytes in one call; name fewer files, or use a root on a local disk`,
  });
}

/** Leaves out permissions and times, which an object does not have. */
const writesOf = ({ path: top, entry, entries, replaces }: Unpack, contents: Contents): readonly PlainChange[] =>
  entries.map(({ path: inner, kind }) => {
    const below = pathBelow(entry, inner);
    const path = below === "" ? top : childOf(top, below);
    if (kind === "directory") return { kind: "mkdir", path };
    return { kind: "write", path, content: contents.get(inner) as Buffer, expect: replaces };
  });
