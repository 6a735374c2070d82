import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

/** The optional packages that the program loads: system calls, ripgrep and terminals, with their native parts. */
const OPTIONAL = [
  "@xterm/headless",
  "koffi",
  "@koromix",
  "@vscode/ripgrep",
  `@vscode/ripgrep-${process.platform}-${process.arch}`,
  "zigpty",
];
const PROGRAM_FILES = new Set([".cjs", ".js", ".mjs", ".json", ".node", "", ".txt"]);
const NO_PROGRAM = new Set(["doc", "vendor", "musl_x64"]);

/** Copies the built program, without library and compiled code, and the optional packages for this machine. */
export function copyProgram(folder) {
  mkdirSync(join(folder, "dist"), { recursive: true });
  for (const name of ["holdfast.cjs", "document-worker.cjs", "LICENSES.txt", "console", "views"])
    cpSync(join("dist", name), join(folder, "dist", name), { recursive: true });
  const build = buildIn(join("dist", "holdfast.cjs"));
  cpSync(join("dist", build), join(folder, "dist", build), {
    recursive: true,
    filter: (path) => extname(path) !== ".cache",
  });
  cpSync("LICENSE", join(folder, "LICENSE"));
  const { name, version, license } = packageJson();
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ name, version, license }, null, 2)}\n`);
  copyOptional(join(folder, "node_modules"));
}

/** Copies the optional packages that are installed here, without sources, documents and other platforms. */
export function copyOptional(folder) {
  for (const name of OPTIONAL)
    cpSync(join("node_modules", name), join(folder, name), {
      recursive: true,
      filter: (path) => !NO_PROGRAM.has(basename(path)) && (isFolder(path) || PROGRAM_FILES.has(extname(path))),
    });
}

export const packageJson = () => JSON.parse(readFileSync("package.json", "utf8"));

/** Returns the folder with the chunks of a bin: dist/ may hold earlier builds. */
function buildIn(bin) {
  const [folder] = /builds\/\w+/.exec(readFileSync(bin, "utf8")) ?? [];
  if (folder === undefined) throw new Error(`Cannot package ${bin}: it is not built; run "npm run build"`);
  return folder;
}

function isFolder(path) {
  try {
    return readdirSync(path).length > 0;
  } catch {
    return false;
  }
}
