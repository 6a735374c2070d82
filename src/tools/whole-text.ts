import type { View } from "../workspace/view.ts";
import { readWholeFile } from "../workspace/read/whole-file.ts";
import { decodedFile } from "./fs/changing/splicing.ts";

/** All the text of a file, in whatever encoding it is. Throws where it is none, or too much to be held. */
export async function wholeText(view: View, path: string): Promise<string> {
  const { bytes } = await view.withFile(path, readWholeFile);
  return (await decodedFile(bytes, path)).text;
}
