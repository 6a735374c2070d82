import { isAbsolute } from "node:path";
import { childOf, relativePath } from "../base/paths.ts";
import { openRoots } from "../storage/local/jail/roots.ts";
import { createLocalStorage } from "../storage/local/local.ts";
import { confine } from "../workspace/confine.ts";

/** A path that somebody else names, and where it has to stay. */
export interface SandboxPathOptions {
  /** Absolute, or relative to `cwd`. It is taken literally: "~" and "@" mean nothing. */
  readonly filePath: string;
  readonly cwd: string;
  readonly root: string;
  /** Accepts a link in the last place wherever it leads, to move or remove the link itself. */
  readonly allowFinalSymlink?: boolean;
}

export interface SandboxPath {
  /** The real path, every link resolved, whether something is there or not. */
  readonly resolved: string;
  /** The same from the root on; empty for the root itself. */
  readonly relative: string;
}

/**
 * Returns where a path leads, and throws a Fault unless that is inside the root: by "..", a link, also one to nothing,
 * or as an absolute path. Somebody may replace a directory by a link afterwards: tools of Holdfast open and check at
 * once instead, so use this only for what they do not do.
 */
export async function assertSandboxPath(options: SandboxPathOptions): Promise<SandboxPath> {
  const { filePath, cwd, root, allowFinalSymlink = false } = options;
  const { roots } = openRoots([root]);
  const places = roots.map(({ real }) => real);
  const [path] = confine(roots, isAbsolute(filePath) || /^file:/i.test(filePath) ? filePath : childOf(cwd, filePath));
  const { place } = await createLocalStorage(places).destination(path, allowFinalSymlink ? "keep" : "follow");
  return { resolved: place, relative: relativePath(places[0] ?? root, place) };
}
