import type { View } from "../workspace/view.ts";
import { readWhole } from "../workspace/read/whole-file.ts";
import { decoded } from "./fs/changing/splicing.ts";

/** All the text of a file, in whatever encoding it is. Throws where it is none, or too much to be held. */
export async function wholeText(view: View, path: string): Promise<string> {
  const { bytes } = await view.withFile(path, readWhole);
  return (await decoded(bytes, path)).text;
}
