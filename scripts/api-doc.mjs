import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { format } from "oxfmt";

const HEADING = `# API

Written by \`node scripts/write-api-doc.mjs\` from the declarations of the package; do not edit. [tools.md](tools.md) has
the arguments and results of each tool, and \`examples/\` has complete programs.
`;

/** Leaves out declarations longer than this: they are tables or inferred types, and say less than their comment. */
const MOST_LINES = 80;

const WIDTH = 120;

/**
 * Returns the Markdown reference of all that a package exports: first what can be called, then the types, then what
 * tests get.
 */
export async function apiDoc(root, entry, testing) {
  const exported = await documented(root, entry);
  const suites = testing ? await documented(root, testing) : [];
  const [values, types] = [exported.filter(({ isType }) => !isType), exported.filter(({ isType }) => isType)];
  const text = [HEADING, "## Functions and values\n", ...values.map(section), "## Types\n", ...types.map(section)];
  if (testing) text.push("## `holdfast/testing`\n", ...suites.map(section));
  return { text: text.join("\n"), count: exported.length + suites.length };
}

/** Returns the exports of an entry with their declarations, by name. */
async function documented(root, entry) {
  const declared = exportsOf(root, entry).map((one) => ({ ...one, ...declarationOf(root, one) }));
  const exported = await Promise.all(declared.map(async (one) => ({ ...one, code: await formatted(one.code) })));
  return exported.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lists what the entry passes on, and from which file. */
function exportsOf(root, entry) {
  return parsed(root, entry).body.flatMap(({ exportKind, specifiers = [], source }) =>
    specifiers.map((specifier) => ({
      name: specifier.exported.name,
      isType: exportKind === "type" || specifier.exportKind === "type",
      file: posix.join(posix.dirname(entry), source.value.replace(/\.[jt]s$/, ".d.ts")),
    })),
  );
}

function declarationOf(root, { name, file }) {
  const { text, body, comments } = parsed(root, file);
  const statement = body.find((each) => namesIn(each.declaration).includes(name));
  if (!statement) throw new Error(`${file}: ${name} is not declared here`);
  const above = comments.findLast(
    ({ end }) => end <= statement.start && text.slice(end, statement.start).trim() === "",
  );
  return { code: text.slice(statement.start, statement.end), comment: above ? wordsOf(above.value) : "" };
}

function namesIn(declaration) {
  if (!declaration) return [];
  return (declaration.declarations ?? [declaration]).map(({ id }) => id?.name);
}

function parsed(root, file) {
  if (!existsSync(join(root, file))) throw new Error(`${file} is missing`);
  const text = readFileSync(join(root, file), "utf8");
  const { program, comments } = parseSync(file, text);
  return { text, body: /** @type {any[]} */ (program.body), comments };
}

/** Returns a comment without its stars. */
const wordsOf = (comment) =>
  comment
    .replace(/^\*/, "")
    .split("\n")
    .flatMap((line) => wrapped(line.replace(/^\s*\*? ?/, "").trim(), WIDTH))
    .join("\n")
    .trim();

/** Formats a declaration as our sources are formatted, and wraps its comments, which the formatter leaves alone. */
async function formatted(declaration) {
  const code = declaration.replace(/^export (declare )?/, "");
  const ambient = /^(const|let|function) /.test(code) ? `declare ${code}` : code;
  const result = await format("declaration.d.ts", ambient, { printWidth: WIDTH });
  if (result.errors.length > 0) throw new Error(result.errors.map(({ message }) => message).join("\n"));
  return result.code
    .trimEnd()
    .replace(/^declare /, "")
    .replaceAll(/^( *)\/\*\* (.*) \*\/$/gm, (line, indent, words) =>
      line.length <= WIDTH
        ? line
        : [
            `${indent}/**`,
            ...wrapped(words, WIDTH - indent.length - 3).map((part) => `${indent} * ${part}`),
            `${indent} */`,
          ].join("\n"),
    );
}

/** Breaks a line between words so that no part is wider than this. */
function wrapped(line, width) {
  const lines = [""];
  for (const word of line.split(" ")) {
    const longer = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
    if (longer.length > width && lines.at(-1) !== "") lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function section({ name, code, comment }) {
  const isShown = code.split("\n").length <= MOST_LINES && code.length <= MOST_LINES * 100;
  return [
    `### \`${name}\`\n`,
    ...(comment ? [`${comment}\n`] : []),
    ...(isShown ? [`\`\`\`ts\n${code}\n\`\`\`\n`] : []),
  ].join("\n");
}
