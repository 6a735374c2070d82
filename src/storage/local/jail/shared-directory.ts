import type { DirectoryHandle, SafePath } from "../../storage.ts";
import { openDirectory } from "../directory.ts";
import { createHandleJail } from "./handle-jail.ts";

/**
 * Wraps a directory that another thread of this process keeps open, for as long as it does. Entries are opened by the
 * same steps as there: no link is followed, no swap leads elsewhere.
 */
export function sharedDirectory(shared: string, path: SafePath): Pick<DirectoryHandle, "openDirectory"> {
  return openDirectory(createHandleJail([]), { fsPath: shared }, path);
}
