import { Fault, isFault } from "../../base/errors.ts";
import type { NativeCalls } from "../native.ts";
import type { Storage } from "./storage.ts";

type Facts = NativeCalls["stat"]["answer"];

/** What a path leads to in the end, and how that is called. A link that leads out of the storage is refused. */
export async function resolveFacts(storage: Storage<"stat">, path: string): Promise<Facts> {
  const named = await linkFacts(storage, path);
  if (named.outside) throw escapesStorageFault(path);
  return named.target === undefined ? named : storage.ask("stat", { path: named.target });
}

/** What is at a path, a link itself. */
export async function linkFacts(storage: Storage<"stat">, path: string): Promise<Facts> {
  try {
    return await storage.ask("stat", { path });
  } catch (error) {
    // Natively it is not told which path of a call leads out by a link.
    throw isFault(error) && error.code === "outside_workspace" ? escapesStorageFault(path) : error;
  }
}

const escapesStorageFault = (path: string): Fault =>
  new Fault("outside_workspace", `Cannot use ${JSON.stringify(path)}: it leads out of the storage`, { path });
