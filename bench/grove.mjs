// Makes the project of 100,000 files, eight in a directory, that watching is measured on.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Change it whenever the files below change, or a workload may have left others there. */
const EDITION = 2;

const PACKAGES = 50;
const PARTS = 10;
const FOLDERS = 25;
const FILES = 8;

/** Returns the path of the project. Makes it if it does not exist. */
export function openGrove(root, say) {
  const grove = join(root, "grove");
  const note = join(root, `grove-${EDITION}.json`);
  if (!existsSync(note)) make(grove, note, say);
  return { grove };
}

function make(grove, note, say) {
  say(`Making ${PACKAGES * PARTS * FOLDERS * FILES} files in ${grove} (once) …`);
  rmSync(grove, { recursive: true, force: true });
  for (let index = 0; index < PACKAGES * PARTS * FOLDERS; index++) {
    const [folder, part] = [index % FOLDERS, Math.floor(index / FOLDERS)];
    const directory = join(
      grove,
      `package-${part % PACKAGES}`,
      `part-${Math.floor(part / PACKAGES)}`,
      `leaf-${folder}`,
    );
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < FILES; file++) writeFileSync(join(directory, `file-${folder}-${file}.ts`), "x\n");
  }
  writeFileSync(note, "{}\n");
}
