// A project of 100,000 files, eight in a directory: what watching is measured on. Made once.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Change it whenever the files below change. */
const EDITION = 1;

const PACKAGES = 50;
const PARTS = 10;
const LEAVES = 25;
const FILES = 8;

/** Where it is. */
export function openGrove(root, say) {
  const grove = join(root, "grove");
  const note = join(root, `grove-${EDITION}.json`);
  if (!existsSync(note)) make(grove, note, say);
  return { grove };
}

function make(grove, note, say) {
  say(`Making ${PACKAGES * PARTS * LEAVES * FILES} files in ${grove} (once) …`);
  rmSync(grove, { recursive: true, force: true });
  for (let index = 0; index < PACKAGES * PARTS * LEAVES; index++) {
    const [leaf, part] = [index % LEAVES, Math.floor(index / LEAVES)];
    const directory = join(grove, `package-${part % PACKAGES}`, `part-${Math.floor(part / PACKAGES)}`, `leaf-${leaf}`);
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < FILES; file++) writeFileSync(join(directory, `file-${leaf}-${file}.ts`), "x\n");
  }
  writeFileSync(note, "{}\n");
}
