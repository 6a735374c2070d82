// Makes the project of 50,000 files in 500 directories that commands are measured in.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DIRECTORIES = 500;
const FILES = 100;

/** Makes the project in a folder that is removed after the run. */
export function makeProject(folder, say) {
  say(`Making ${DIRECTORIES * FILES} files in ${folder} …`);
  for (let index = 0; index < DIRECTORIES; index++) {
    const directory = join(folder, "project", `package-${index % 20}`, `part-${index}`);
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < FILES; file++) writeFileSync(join(directory, `file-${file}.ts`), "x\n");
  }
}
