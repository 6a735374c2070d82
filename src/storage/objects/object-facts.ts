import { childOf } from "../../base/paths.ts";
import type { Facts, SafePath } from "../facts.ts";
import type { Key, ObjectFacts } from "./object-store.ts";

/** The permissions that every file and directory of an object store seems to have. */
export const OBJECT_MODES = { file: 0o644, directory: 0o755 } as const;

/** Describes an object as a file. Every write makes another one of it. */
export const objectFileFacts = (root: string, { key, size, modifiedMs, tag }: ObjectFacts): Facts => ({
  ...timesOf(modifiedMs),
  path: pathOfKey(root, key),
  kind: "file",
  size,
  mode: OBJECT_MODES.file,
  links: 1,
  owner: "",
  identity: `${root}/${key}#${tag}`,
  times: `${modifiedMs}:${tag}`,
});

/** Describes a directory, which is the same as long as it has its name: what makes it one may come and go. */
export const objectDirectoryFacts = (root: string, key: Key): Facts => ({
  ...timesOf(0),
  path: pathOfKey(root, key),
  kind: "directory",
  size: 0,
  mode: OBJECT_MODES.directory,
  links: 1,
  owner: "",
  identity: `${root}/${key}/`,
  times: "",
});

const timesOf = (modifiedMs: number): Pick<Facts, "modifiedMs" | "createdMs" | "accessedMs"> => ({
  modifiedMs,
  createdMs: modifiedMs,
  accessedMs: modifiedMs,
});

const pathOfKey = (root: string, key: Key): SafePath => (key === "" ? root : childOf(root, key)) as SafePath;
