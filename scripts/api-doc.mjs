import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";

const HEADING = `# API

Written by \`node scripts/write-api-doc.mjs\` from the declarations of the package; do not edit. What each tool takes and
gives is in [tools.md](tools.md); programs that run are in \`examples/\`.
`;

/** Declarations longer than this say less than their comment: they are tables, or types that were inferred. */
const MOST_LINES = 80;

/** The markdown reference of all that a package exports: what can be called first, then the types. */
export function apiDoc(root, entry) {
  const exported = exportsOf(root, entry).map((one) => ({ ...one, ...declarationOf(root, one) }));
  const byName = exported.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [values, types] = [byName.filter(({ isType }) => !isType), byName.filter(({ isType }) => isType)];
  const text = [HEADING, "## Functions and values\n", ...values.map(section), "## Types\n", ...types.map(section)];
  return { text: text.join("\n"), count: exported.length };
}

/** What the entry passes on, and from which file. */
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

/** A comment without its stars. */
const wordsOf = (comment) =>
  comment
    .replace(/^\*/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .join("\n")
    .trim();

function section({ name, code, comment }) {
  const declared = code.replace(/^export (declare )?/, "");
  const isShown = declared.split("\n").length <= MOST_LINES && declared.length <= MOST_LINES * 100;
  return [
    `### \`${name}\`\n`,
    ...(comment ? [`${comment}\n`] : []),
    ...(isShown ? [`\`\`\`ts\n${declared}\n\`\`\`\n`] : []),
  ].join("\n");
}
