import { accessSync, closeSync, constants, statfsSync } from "node:fs";
import { Fault, hasCode } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type {
  Containment,
  Destination,
  Facts,
  DirectoryHandle,
  LastLink,
  SafePath,
  Space,
  Storage,
  Writer,
} from "../storage.ts";
import { isAbsent, absentDestination } from "../resolve.ts";
import { openDirectory } from "./directory.ts";
import { asFault } from "./errno.ts";
import { factsOf, requireKind } from "./facts-of-stats.ts";
import { createLocalWriter, type WriterOptions } from "./writer.ts";
import type { Handle, Jail } from "./jail/jail.ts";
import type { KernelSource } from "./jail/kernel.ts";
import { createJail } from "./jail/create-jail.ts";
import { openPath, type OpenedPath, openPathOrAbsent } from "./jail/open-path.ts";
import { readAt } from "./read.ts";
import { onHintsLost } from "./watch.ts";

/** Serves directories of this machine. The roots must be real paths: absolute, existing, free of links. */
export function createLocalStorage(
  roots: readonly string[],
  { containment, kernelSource, writerOptions }: LocalOptions = {},
): Storage {
  const jail = createJail(roots, containment, kernelSource);
  return {
    capabilities: { symlinks: true, permissions: true, containment: jail.containment },
    roots,
    stat: async (path, last) => withHandle(jail, path, last, (handle, place) => confirmedFacts(jail, handle, place)),
    destination: async (path, last) => destinationOf(jail, path, last),
    async withFile(path, use) {
      const { fd, facts } = openFileDirectly(jail, path) ?? openThroughHandle(jail, path);
      try {
        return await use({ facts, descriptor: fd, read: (into, position) => readAt(fd, into, position) });
      } finally {
        closeSync(fd);
      }
    },
    async withDirectory(path, use) {
      const directory = openDirectoryHandle(jail, path);
      try {
        return await use(directory);
      } finally {
        directory.close();
      }
    },
    openDirectory: (path) => openDirectoryHandle(jail, path),
    onHintsLost,
    space: spaceBelow,
    isWritable,
    writer: writerOptions ? localWriter(jail, writerOptions) : null,
  };
}

export interface LocalOptions {
  readonly containment?: Containment | undefined;
  /** Loads the kernel calls; the default does so once that pays. */
  readonly kernelSource?: KernelSource | undefined;
  /** Enables changes. */
  readonly writerOptions?: WriterOptions | undefined;
}

const localWriter = (jail: Jail, options: WriterOptions): Writer => ({
  kind: "transactional",
  guarantees: {
    changeSet: "atomic",
    file: "exchange",
    rename: "constant",
    durable: options.durability === "power",
    links: true,
    permissions: true,
    times: true,
    directories: true,
  },
  writer: createLocalWriter(jail, options),
});

function confirmedFacts(jail: Jail, handle: Handle, place: SafePath): Facts {
  const facts = factsOf(jail.stats(handle), place);
  jail.confirm(handle);
  return facts;
}

const destinationOf = (jail: Jail, path: SafePath, last: LastLink): Destination =>
  retryIfSwapped(path, () => {
    const found = openPathOrAbsent(jail, path, last);
    if (isAbsent(found)) return absentDestination(found, path);
    return {
      place: found.place,
      facts: useAndClose(jail, found, (handle, place) => confirmedFacts(jail, handle, place)),
      missing: [],
    };
  });

interface OpenDescriptor {
  readonly facts: Facts;
  readonly fd: number;
}

function openFileDirectly(jail: Jail, path: SafePath): OpenDescriptor | undefined {
  const file = jail.openFileDirectly(path);
  return file && { facts: factsOf(file.stats, path), fd: file.fd };
}

function openThroughHandle(jail: Jail, path: SafePath): OpenDescriptor {
  const file = withHandle(jail, path, "follow", (handle, place) => {
    const facts = requireKind("file", factsOf(jail.stats(handle), place), path);
    return { facts, fd: jail.openData(handle) };
  });
  if (file) return file;
  throw notFoundFault(path);
}

function openDirectoryHandle(jail: Jail, path: SafePath): DirectoryHandle {
  const found = retryIfSwapped(path, () => openPath(jail, path, "follow"));
  if (!found) throw notFoundFault(path);
  const directory = openDirectory(jail, found.handle, found.place);
  try {
    requireKind("directory", directory.facts(), path);
    return directory;
  } catch (error) {
    directory.close();
    throw error;
  }
}

/**
 * Opens a path, uses the handle and closes it, all in one turn of the event loop. Returns null when nothing is there.
 */
function withHandle<T>(
  jail: Jail,
  path: SafePath,
  last: LastLink,
  use: (handle: Handle, place: SafePath) => T,
): T | null {
  return retryIfSwapped(path, () => {
    const found = openPath(jail, path, last);
    return found && useAndClose(jail, found, use);
  });
}

function useAndClose<T>(jail: Jail, { handle, place }: OpenedPath, use: (handle: Handle, place: SafePath) => T): T {
  try {
    return use(handle, place);
  } finally {
    jail.steps.close(handle);
  }
}

/** Retries when the path was replaced meanwhile. */
function retryIfSwapped<T>(path: SafePath, attempt: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      const mayRetry = hasCode(error, "swapped") && tries < LIMITS.swapRetries;
      if (!mayRetry) throw asFault(error, path);
    }
  }
}

/** Uses the name of the root, which is safe: a root is a real path of the operator's own. */
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

const notFoundFault = (path: SafePath): Fault =>
  new Fault("not_found", `Cannot open ${JSON.stringify(path)}: it does not exist`, { path });
