import { z } from "zod";

/** Returns the reference of the tools as markdown: profiles and groups, then each tool with arguments and result. */
export function toolsDoc(tools, { profiles, groups }) {
  return [HEADING, listSection(tools, profiles, groups), ...tools.map(section)].join("\n");
}

const listSection = (tools, profiles, groups) =>
  [
    "## Profiles and groups",
    LISTS,
    table(["Profile", "Tools"], memberRows(tools, profiles)),
    table(["Group", "Tools"], memberRows(tools, groups)),
  ]
    .map((part) => `${part}\n`)
    .join("\n");

const memberRows = (tools, lists) =>
  lists.map(([name, members]) => [
    `\`${name}\``,
    members.length === tools.length ? "all" : members.map((tool) => `\`${tool.name}\``).join(" ") || "none today",
  ]);

const LISTS = `A session has one profile. Lists such as \`tools.deny\` also take groups; \`group:plugins\` has all tools of plugins.
Profiles and groups also name tools of other systems, so that their configurations can be used. A plugin that brings a
tool of such a name fills it.`;

const HEADING = `# Tools

Written by \`node scripts/write-tools-doc.mjs\` from the schemas in \`src/tools/\`; do not edit.

Every argument below is accepted. Those marked *unlisted* are left out of the schemas that models see, which cost tokens
in every conversation; the mark says why. Every argument that an answer tells a model to use is listed.

Hosts show a model the text of an answer or its structured result, seldom both. What it has to know is in both: a line
in brackets at the end of the text is an element of \`notes\`, and a line \`Note: …\` is one of \`warnings\`.

Encodings are labels of the WHATWG Encoding Standard, where \`latin1\` means windows-1252; \`base64\` stands for bytes.
[errors.md](errors.md) lists the codes of failed calls.
`;

function section(tool) {
  const input = rowsOf(z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" }));
  const output = rowsOf(z.toJSONSchema(tool.output, { io: "output", unrepresentable: "any" }));
  return [
    `## \`${tool.name}\``,
    `**${tool.title}** (${effectsOf(tool)})`,
    tool.description,
    input.length === 0 ? "No arguments." : table(["Argument", "Type", "Default", "Meaning"], input.map(argumentCells)),
    output.length === 0 ? "No result fields." : table(["Result", "Type", "Meaning"], output.map(resultCells)),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

function effectsOf({ annotations, resumesCalls }) {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    readOnlyHint ? "reads only" : destructiveHint ? "changes, may destroy" : "changes, destroys nothing",
    ...(idempotentHint ? ["safe to repeat"] : []),
    ...(openWorldHint ? ["reaches the outside world"] : []),
    ...(resumesCalls ? ["or does what the resumed call does"] : []),
  ].join(", ");
}

/** Returns one row per field, nested ones under their full name such as `edits[].old_text`. */
function rowsOf(schema, prefix = "") {
  return variantsOf(schema).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, field]) => [
      { name: prefix + name, field, isRequired: required.includes(name) },
      ...rowsOf(field, `${prefix}${name}.`),
      ...rowsOf(field.items ?? {}, `${prefix}${name}[].`),
    ]),
  );
}

const variantsOf = (schema) => schema.anyOf ?? schema.oneOf ?? [schema];

const argumentCells = ({ name, field, isRequired }) => [
  `\`${name}\``,
  typeOf(field),
  field.default === undefined ? (isRequired ? "required" : "") : `\`${JSON.stringify(field.default)}\``,
  [field.description, field.unlisted && `*unlisted: ${field.unlisted}*`].filter(Boolean).join("; "),
];

const resultCells = ({ name, field, isRequired }) => [
  `\`${name}\`${isRequired ? "" : "?"}`,
  typeOf(field),
  field.description ?? "",
];

function typeOf(field) {
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.enum) return field.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (field.anyOf ?? field.oneOf) return variantsOf(field).map(typeOf).join(" or ");
  if (field.$ref) return "the same again";
  if (field.type === "array") return `array of ${typeOf(field.items ?? {})}`;
  return `${field.type ?? "anything"}${rangeOf(field)}`;
}

function rangeOf({ minimum, maximum = Number.MAX_SAFE_INTEGER }) {
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? "" : ` from ${minimum}`;
  return `${least}${maximum >= Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`}`;
}

const table = (head, rows) => [head, head.map(() => "---"), ...rows].map(tableLine).join("\n");
const tableLine = (cells) =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
