const HEADING = `# Settings

Written by \`node scripts/write-config-schema.mjs\` from \`src/config/schema.ts\`; do not edit.

All keys of the configuration files, which [operating.md](operating.md#configuration-files) lists. A dot leads into an
object, \`[]\` into a list, and \`*\` stands for a name of yours. Give your editor \`schema/holdfast.schema.json\` as
\`$schema\`, and it completes and checks them.

| Key | Value | Meaning |
|---|---|---|
`;

/** Returns the Markdown reference of the configuration, a row for every key that holds a value. */
export const configDoc = (schema) => HEADING + rowsOf(schema, "").join("\n") + "\n";

function rowsOf(schema, path) {
  const { properties, additionalProperties: named, items } = schema;
  const own = path === "" || !schema.description ? [] : [rowOf(path, schema)];
  if (properties)
    return [
      ...own,
      ...Object.entries(properties).flatMap(([key, value]) => rowsOf(value, path ? `${path}.${key}` : key)),
    ];
  if (isObject(named) && isObject(named.properties)) return [...own, ...rowsOf(named, `${path}.*`)];
  if (isObject(items) && isObject(items.properties)) return [...own, ...rowsOf(items, `${path}[]`)];
  return own.length > 0 || path === "" ? own : [rowOf(path, schema)];
}

const isObject = (value) => typeof value === "object" && value !== null;

const rowOf = (path, schema) => `| \`${path}\` | ${inTable(valueOf(schema))} | ${inTable(schema.description ?? "")} |`;

function valueOf({ type, enum: values, items, anyOf }) {
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (anyOf) return anyOf.map(valueOf).join(" or ");
  if (type === "array") return items ? `list of ${valueOf(items)}` : "list";
  return type ?? "any";
}

const inTable = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("{{", "{ {");
