import { Fault } from "../../../base/errors.ts";
import { childOf } from "../../../base/paths.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import type { Target, View } from "../../../workspace/view.ts";
import type { Unpacked, UnpackedFile } from "./contents.ts";
import { pathsAbove } from "./selection.ts";

interface PlacingOptions extends Unpacked {
  readonly into: string;
  readonly overwrite: boolean;
}

interface Placed {
  readonly top: SafePath;
  readonly changes: readonly Change[];
}

/** Plans the directories and files below the target. Nothing is placed through a link, or over a file unless that is asked for. */
export async function placeFiles(view: View, options: PlacingOptions): Promise<Placed> {
  const { into, files, directories, overwrite } = options;
  const target = await view.resolveTarget(into, "follow");
  const { place: top, now } = target;
  if (now && now.facts.kind !== "directory")
    throw new Fault("not_a_directory", `Cannot unpack into ${JSON.stringify(into)}: it is a file`, { path: into });
  const isNew = now === null;
  const above = isNew ? [...target.missing, top] : [];
  const wanted = new Set([...directories, ...files.map(({ path }) => path)].flatMap(pathsAbove));
  const changes: Change[] = above.map((path) => ({ kind: "mkdir", path }));
  for (const inner of [...new Set([...wanted, ...directories])].toSorted()) {
    const path = childOf(top, inner);
    if (isNew || (await isMissingDirectory(view, path))) changes.push({ kind: "mkdir", path });
  }
  for (const file of files) changes.push(await writeOf(view, { file, top, isNew, overwrite }));
  return { top, changes };
}

/** Checks one directory. Throws where a file or a link has its name. */
async function isMissingDirectory(view: View, path: SafePath): Promise<boolean> {
  const { now } = await targetAt(view, path);
  if (now && now.facts.kind !== "directory") throw inTheWay(view, path, now.facts.kind);
  return now === null;
}

/** Looks at a place. Throws where a link above it leads elsewhere. */
async function targetAt(view: View, path: SafePath): Promise<Target> {
  await view.checkpoint();
  const target = await view.resolveTarget(path, "keep");
  if (target.place !== path) throw inTheWay(view, path, "symlink");
  return target;
}

interface FilePlacing {
  readonly file: UnpackedFile;
  readonly top: SafePath;
  /** Is true where the target directory is made by the same change set. */
  readonly isNew: boolean;
  readonly overwrite: boolean;
}

async function writeOf(view: View, { file, top, isNew, overwrite }: FilePlacing): Promise<Change> {
  const path = childOf(top, file.path);
  const now = isNew ? null : (await targetAt(view, path)).now;
  if (now && now.facts.kind !== "file") throw inTheWay(view, path, now.facts.kind);
  if (now && !overwrite)
    throw new Fault("exists", `Cannot unpack ${JSON.stringify(view.nameOf(path))}: it is there already`, {
      path: view.nameOf(path),
      hint: "Unpack into another directory, name other members, or set overwrite: true",
    });
  const expect = now?.version ?? null;
  return { kind: "write", path, content: file.content, mode: file.mode, expect };
}

const inTheWay = (view: View, path: SafePath, kind: string): Fault =>
  new Fault("exists", `Cannot unpack to ${JSON.stringify(view.nameOf(path))}: a ${kind} is in the way`, {
    path: view.nameOf(path),
    hint: "Unpack into another directory",
  });
