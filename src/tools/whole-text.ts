import type { View } from "../workspace/view.ts";
import { readWholeFile } from "../workspace/read/whole-file.ts";
import { decodedFile } from "./fs/changing/splicing.ts";

/** Returns the whole text of a file in any supported encoding. Throws if the file is not text or is too large. */
export async function readWholeText(view: View, path: string): Promise<string> {
  const { bytes } = await view.withFile(path, readWholeFile);
  return (await decodedFile(bytes, path)).text;
}
