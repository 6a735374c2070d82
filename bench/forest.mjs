// Makes the project of 100,000 files that searches are measured on. Half of the files are ignored.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Change it whenever the files below change. */
const EDITION = 2;

const PACKAGES = 100;
const DIRECTORIES = 80;
const FILES = 6;
const MODULES = 700;
const KINDS = ["ts", "js", "md", "ts", "json", "py"];
const WORDS = ["value", "handler", "request", "session", "render", "margin", "config", "stream", "token", "buffer"];

/** Occurs in a few of the files only. */
export const NEEDLE = "ZXQ_NEEDLE_OF_THE_BENCH";

/** Returns the path of the project and its counts. Makes it if it does not exist. */
export function openForest(root, say) {
  const forest = join(root, "forest");
  const note = join(root, `forest-${EDITION}.json`);
  if (!existsSync(note)) make(forest, note, say);
  const perDirectory = KINDS.filter((kind) => kind === "ts").length;
  return { forest, shownTs: PACKAGES * DIRECTORIES * perDirectory, allFiles: fileCount() + 1 };
}

const fileCount = () => (PACKAGES * DIRECTORIES + MODULES * 12) * FILES;

function make(forest, note, say) {
  say(`Making ${fileCount()} files in ${forest} (once) …`);
  rmSync(forest, { recursive: true, force: true });
  mkdirSync(forest, { recursive: true });
  writeFileSync(join(forest, ".gitignore"), "node_modules/\n*.log\n");
  for (let index = 0; index < PACKAGES; index++) fill(join(forest, "packages", `package-${index}`), DIRECTORIES);
  for (let index = 0; index < MODULES; index++) fill(join(forest, "node_modules", `module-${index}`), 12);
  writeFileSync(note, "{}\n");
}

/** Returns a path in directories up to four deep, with a few files in each. */
function fill(top, directories) {
  for (let index = 0; index < directories; index++) {
    const way = Array.from(String(index).padStart(2, "0"), (digit) => `part-${digit}`);
    const directory = join(top, "src", ...way, `leaf-${index}`);
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < FILES; file++)
      writeFileSync(join(directory, `f${index}-${file}.${KINDS[file]}`), nextText());
  }
}

let written = 0;

/** Returns sixteen lines, four of them functions. */
function nextText() {
  const number = written++;
  const lines = Array.from({ length: 16 }, (_, line) => {
    const word = WORDS[(number * 7 + line * 3) % WORDS.length];
    return line % 4 === 0
      ? `export function ${word}${number}() {`
      : `  const ${word} = ${word}${line}(${number * line});`;
  });
  if (number % 30_000 === 777) lines[9] = `  // ${NEEDLE}`;
  return `${lines.join("\n")}\n`;
}
