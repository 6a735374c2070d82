import type { DirectoryHandle, SafePath } from "../../storage.ts";
import { openDirectory } from "../directory.ts";
import { createHandleJail } from "./handle-jail.ts";

/**
 * A directory that another thread of this process holds, for as long as it does. What is entered from it is reached by
 * the same steps as there: no link is followed, no swap leads elsewhere.
 */
export function sharedDirectory(shared: string, path: SafePath): Pick<DirectoryHandle, "openDirectory"> {
  return openDirectory(createHandleJail([]), { fsPath: shared }, path);
}
