import { accessSync, closeSync, constants, statfsSync } from "node:fs";
import { Fault, hasCode } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type {
  Containment,
  Destination,
  Facts,
  DirectoryHandle,
  LastLink,
  OpenDirectory,
  OpenFile,
  SafePath,
  Space,
  Storage,
} from "../storage.ts";
import { isAbsent, placeToMake } from "../resolve.ts";
import { openDirectory } from "./directory.ts";
import { asFault } from "./errno.ts";
import { factsOf, requireKind } from "./facts.ts";
import { createLocalWriter, type WriterOptions } from "./writer.ts";
import type { Handle, Jail } from "./jail/jail.ts";
import type { SyscallOptions } from "./jail/kernel.ts";
import { createJail } from "./jail/open.ts";
import { reach, type Reached, reachOrAbsent } from "./jail/reach.ts";
import { readAt } from "./read.ts";
import { onHintsLost } from "./watch.ts";

/** Directories of this machine. The roots must be real paths: absolute, existing, free of links. */
export function createLocalStorage(
  roots: readonly string[],
  { containment, asking, writing }: LocalOptions = {},
): Storage {
  const jail = createJail(roots, containment, asking);
  return {
    capabilities: { symlinks: true, permissions: true, containment: jail.containment },
    roots,
    look: async (path, last) => holding(jail, path, last, (held, place) => lookAt(jail, held, place)),
    destination: async (path, last) => destinationOf(jail, path, last),
    withFile: (path, use) => withFile(jail, path, use),
    withDirectory: (path, use) => withDirectory(jail, path, use),
    hold: (path) => hold(jail, path),
    onLost: onHintsLost,
    space: spaceBelow,
    isWritable,
    writer: writing ? createLocalWriter(jail, writing) : null,
  };
}

export interface LocalOptions {
  readonly containment?: Containment | undefined;
  /** How files are opened in the kernel's own words; unless said otherwise, once that pays. */
  readonly asking?: SyscallOptions | undefined;
  /** Without it nothing can be changed. */
  readonly writing?: WriterOptions | undefined;
}

function lookAt(jail: Jail, held: Handle, place: SafePath): Facts {
  const facts = factsOf(jail.stats(held), place);
  jail.confirm(held);
  return facts;
}

const destinationOf = (jail: Jail, path: SafePath, last: LastLink): Destination =>
  persistently(path, () => {
    const met = reachOrAbsent(jail, path, last);
    if (isAbsent(met)) return placeToMake(met, path);
    return { place: met.place, facts: usedOnce(jail, met, (held, place) => lookAt(jail, held, place)), missing: [] };
  });

async function withFile<T>(jail: Jail, path: SafePath, use: (file: OpenFile) => T | Promise<T>): Promise<T> {
  const file = openDirect(jail, path) ?? openHeld(jail, path);
  try {
    const read: OpenFile["read"] = (into, position) => readAt(file.fd, into, position);
    return await use({ facts: file.facts, descriptor: file.fd, read });
  } finally {
    closeSync(file.fd);
  }
}

interface Opened {
  readonly facts: Facts;
  readonly fd: number;
}

function openDirect(jail: Jail, path: SafePath): Opened | undefined {
  const file = jail.openDirect(path);
  return file && { facts: factsOf(file.stats, path), fd: file.fd };
}

function openHeld(jail: Jail, path: SafePath): Opened {
  const file = holding(jail, path, "follow", (held, place) => {
    const facts = requireKind("file", factsOf(jail.stats(held), place), path);
    return { facts, fd: jail.openData(held) };
  });
  if (file) return file;
  throw absent(path);
}

async function withDirectory<T>(jail: Jail, path: SafePath, use: (dir: OpenDirectory) => T | Promise<T>): Promise<T> {
  const directory = hold(jail, path);
  try {
    return await use(directory);
  } finally {
    directory.close();
  }
}

function hold(jail: Jail, path: SafePath): DirectoryHandle {
  const found = persistently(path, () => reach(jail, path, "follow"));
  if (!found) throw absent(path);
  const directory = openDirectory(jail, found.held, found.place);
  try {
    requireKind("directory", directory.facts(), path);
    return directory;
  } catch (error) {
    directory.close();
    throw error;
  }
}

/** Reaches a path, uses the hold, and lets go, all in one turn of the event loop. Null when nothing is there. */
function holding<T>(jail: Jail, path: SafePath, last: LastLink, use: (held: Handle, place: SafePath) => T): T | null {
  return persistently(path, () => {
    const found = reach(jail, path, last);
    return found && usedOnce(jail, found, use);
  });
}

function usedOnce<T>(jail: Jail, { held, place }: Reached, use: (held: Handle, place: SafePath) => T): T {
  try {
    return use(held, place);
  } finally {
    jail.steps.close(held);
  }
}

/** Tries again when something took the path's place meanwhile. */
function persistently<T>(path: SafePath, attempt: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      const again = hasCode(error, "swapped") && tries < LIMITS.swappedTries;
      if (!again) throw asFault(error, path);
    }
  }
}

/** A root is real and the operator's own: its name means no other place. */
function spaceBelow(root: string): Space {
  try {
    const { blocks, bavail, bsize } = statfsSync(root);
    return { total: blocks * bsize, free: bavail * bsize };
  } catch (error) {
    throw asFault(error, root);
  }
}

function isWritable(root: string): boolean {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const absent = (path: SafePath): Fault =>
  new Fault("not_found", `Cannot open ${JSON.stringify(path)}: it does not exist`, { path });
