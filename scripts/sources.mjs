import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** Lists folders whose source files are test data, not code of ours. */
const DATA = /(^|\/)(node_modules|scenarios|fixtures)\//;

/** Returns every source file below the folders, as sorted paths relative to root. */
export function sourceFiles(root, folders = ["src", "test", "bench", "scripts"]) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
    .map((path) => path.split(sep).join("/"))
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !DATA.test(path))
    .toSorted();
}

/** Returns a source file's text and syntax tree. */
export function parse(root, file) {
  const text = readFileSync(join(root, file), "utf8");
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return { text, program };
}

/** Lists what a file imports: static, dynamic, re-exported and type-only alike; null stands for a computed name. */
export function importsOf(root, file) {
  const found = [];
  const add = ({ source }) => source && found.push(literalOf(source));
  const visitor = new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  });
  visitor.visit(parse(root, file).program);
  return found;
}

/** Returns the path of a relative import, from the same root as `file`; undefined for a package or a Node module. */
export const targetOf = (file, specifier) =>
  specifier?.startsWith(".") ? posix.join(posix.dirname(file), specifier) : undefined;

function literalOf(source) {
  if (source.type === "Literal") return source.value;
  if (source.type === "TemplateLiteral" && source.expressions.length === 0) return source.quasis[0].value.cooked;
  return null;
}
