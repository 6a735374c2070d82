import { Fault, isFault } from "../../base/errors.ts";
import type { NativeCalls } from "../native.ts";
import type { Storage } from "./storage.ts";

type Facts = NativeCalls["stat"]["answer"];

/** Returns the metadata and path of the target of a path. Throws for a link that leads out of the storage. */
export async function resolveFacts(storage: Storage<"stat">, path: string): Promise<Facts> {
  const named = await linkFacts(storage, path);
  if (named.outside) throw escapesStorageFault(path);
  return named.target === undefined ? named : storage.call("stat", { path: named.target });
}

/** Returns the metadata of a path, without following a link. */
export async function linkFacts(storage: Storage<"stat">, path: string): Promise<Facts> {
  try {
    return await storage.call("stat", { path });
  } catch (error) {
    // The native fault does not say which path of a call leads outside by a link.
    throw isFault(error) && error.code === "outside_workspace" ? escapesStorageFault(path) : error;
  }
}

const escapesStorageFault = (path: string): Fault =>
  new Fault("outside_workspace", `Cannot use ${JSON.stringify(path)}: it leads out of the storage`, { path });
