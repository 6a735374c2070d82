import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { childOf } from "../../base/paths.ts";
import { objectStorage } from "../objects/object-storage.ts";
import type { Key, ObjectFacts } from "../objects/object-store.ts";
import { SPECIAL_NAMES } from "../place.ts";
import type { MountableStorage } from "../storage.ts";
import { directoryObjects, type DirectoryTree } from "./directory-objects.ts";
import { withMemoryBackups } from "./memory-backups.ts";

/** Describes a file of a sandbox: by `type`, or by functions as `stat` of Node does. */
export interface SandboxFileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly type?: "file" | "directory" | "other";
  isFile?(): boolean;
  isDirectory?(): boolean;
}

/**
 * Reads and writes the files of a sandbox by their absolute paths: what the builder of a sandbox writes. Missing files
 * are errors with the code ENOENT, or null for `stat`. `writeFile` creates missing directories. It must neither follow
 * links out of the workspace nor show them as files.
 */
export interface SandboxFsBridge {
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, content: Buffer): Promise<void>;
  stat(path: string): Promise<SandboxFileStat | null>;
  readdir(path: string): Promise<readonly string[]>;
  /** Removes a file, or a directory without entries. Without it nothing can be deleted, moved or taken back. */
  remove?(path: string): Promise<void>;
}

/** Makes a storage of the directory of a sandbox, reached by its bridge. History and backups end with the process. */
export const bridgeStorage = (bridge: SandboxFsBridge, directory: string): MountableStorage =>
  objectStorage(withMemoryBackups(directoryObjects(bridgeTree(bridge, directory))), { allowUnconditionalWrites: true });

/** Makes a tree of a bridge, which cannot make directories: they are in memory until a file in them makes them real. */
function bridgeTree(bridge: SandboxFsBridge, top: string): DirectoryTree {
  const unmade = new Set<Key>();
  const at = (key: Key): string => (key === "" ? top : childOf(top, key.replace(/\/$/, "")));
  const head = async (key: Key): Promise<ObjectFacts | null> => {
    const stat = await foundOrNull(() => bridge.stat(at(key)));
    const kind = stat && kindOf(stat);
    if (kind === "other") throw new Fault("special_file", `Cannot use ${JSON.stringify(key)}: it is no regular file`);
    return stat && kind === "file" ? factsOf(key, stat) : null;
  };
  const bytesAt = (key: Key): Promise<Uint8Array | null> => foundOrNull(() => bridge.readFile(at(key)));
  const entries = async (directory: Key): Promise<readonly ObjectFacts[] | null> => {
    const names = await foundOrNull(() => bridge.readdir(at(directory)));
    const inMemory = [...unmade].filter((key) => isEntryOf(key, directory)).map((key) => factsOf(key, NO_STAT));
    if (!names) return unmade.has(directory) ? inMemory : null;
    unmade.delete(directory);
    const found = new Map(inMemory.map((facts) => [facts.key, facts]));
    for (const name of names.filter(isPlainName)) {
      const stat = await foundOrNull(() => bridge.stat(at(`${directory}${name}`)));
      const kind = stat ? kindOf(stat) : "other";
      const key = `${directory}${name}${kind === "directory" ? "/" : ""}`;
      if (stat && kind !== "other") found.set(key, factsOf(key, stat));
    }
    return [...found.values()];
  };
  return {
    isConditional: false,
    head,
    list: (directory, depth) => (depth === "entries" ? entries(directory) : allBelow(directory, entries)),
    async get(key, tag, from, most) {
      const facts = await head(key);
      const bytes = facts?.tag === tag ? await bytesAt(key) : null;
      return bytes?.length === facts?.size ? (bytes?.subarray(from, from + most) ?? null) : null;
    },
    async put(key, content) {
      const bytes = content instanceof Uint8Array ? content : await bytesAt(content.copyOf);
      if (!bytes) return null;
      await bridge.writeFile(at(key), Buffer.from(bytes));
      return head(key);
    },
    async remove(key) {
      if (!bridge.remove) throw removeFault(key);
      await bridge.remove(at(key));
      return true;
    },
    async makeDirectory(key) {
      unmade.add(key);
    },
    async removeDirectory(key) {
      if ((await entries(key))?.length !== 0) return false;
      if (unmade.delete(key)) return true;
      await bridge.remove?.(at(key));
      return bridge.remove !== undefined;
    },
  };
}

/** Lists a directory and all below it. */
async function allBelow(directory: Key, entries: EntriesOf): Promise<readonly ObjectFacts[] | null> {
  const found = await entries(directory);
  if (!found) return null;
  const below: ObjectFacts[] = [...found];
  for (const { key } of found) if (key.endsWith("/")) below.push(...((await allBelow(key, entries)) ?? []));
  return below;
}

type EntriesOf = (directory: Key) => Promise<readonly ObjectFacts[] | null>;

const NO_STAT: SandboxFileStat = { size: 0, mtimeMs: 0 };

const factsOf = (key: Key, { size, mtimeMs }: SandboxFileStat): ObjectFacts => ({
  key,
  size,
  modifiedMs: mtimeMs,
  tag: `${size}-${mtimeMs}`,
});

/** Returns whether a directory is right in another one. */
const isEntryOf = (key: Key, directory: Key): boolean =>
  key.startsWith(directory) && /^[^/]+\/$/.test(key.slice(directory.length));

function kindOf(stat: SandboxFileStat): "file" | "directory" | "other" {
  if (stat.type !== undefined) return stat.type;
  if (stat.isDirectory?.()) return "directory";
  return stat.isFile?.() ? "file" : "other";
}

const isPlainName = (name: string): boolean => !SPECIAL_NAMES.has(name) && !name.includes("/");

/** Returns null for what does not exist. Some bridges say so only in the text of the error. */
async function foundOrNull<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (MISSING.test(`${errnoOf(error) ?? ""} ${error instanceof Error ? error.message : ""}`)) return null;
    throw error;
  }
}

const MISSING = /\b(?:ENOENT|ENOTDIR|ENAMETOOLONG)\b/;

const removeFault = (key: Key): Fault =>
  new Fault("denied", `Cannot remove ${JSON.stringify(key)}: the bridge of this sandbox has no function for it`);
