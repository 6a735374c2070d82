import type { JsonSchema } from "../../src/schema/listed-schema.ts";
import { partsOf } from "../../src/schema/subschemas.ts";
import type { Provider } from "../../src/schema/providers.ts";

/** A rule that providers document for the schemas they accept; docs/decisions/020 has the sources. */
interface Rule {
  readonly name: string;
  readonly at?: "root";
  holds(part: JsonSchema): boolean;
}

/** The names of the rules that a schema breaks. */
export function brokenRules(provider: Provider, schema: JsonSchema): readonly string[] {
  const parts = partsOf(schema);
  const broken = RULES[provider].filter(({ at, holds }) => !(at === "root" ? [schema] : parts).every(holds));
  return broken.map(({ name }) => name);
}

const has = (part: JsonSchema, ...keywords: readonly string[]): boolean => keywords.some((key) => key in part);
const types = ({ type }: JsonSchema): readonly unknown[] =>
  Array.isArray(type) ? type : type === undefined ? [] : [type];
const names = ({ properties }: JsonSchema): readonly string[] => Object.keys((properties as JsonSchema) ?? {});
const needed = ({ required }: JsonSchema): readonly unknown[] => (Array.isArray(required) ? required : []);

const COMMON: readonly Rule[] = [
  { name: "an object at the root", at: "root", holds: (root) => root["type"] === "object" },
  { name: "no choice at the root", at: "root", holds: (root) => !has(root, "anyOf", "oneOf", "allOf") },
  { name: "no references", holds: (part) => !has(part, "$ref", "$defs", "definitions", "$dynamicRef") },
  {
    name: "draft 2020-12",
    holds: (part) =>
      !Array.isArray(part["items"]) &&
      !has(part, "additionalItems", "dependencies", "id") &&
      typeof part["exclusiveMinimum"] !== "boolean",
  },
];

const isOneTyped = (part: JsonSchema): boolean =>
  types(part).filter((type) => type !== "null").length === 1 || types(part).includes("null");

const RULES: Readonly<Record<Provider, readonly Rule[]>> = {
  anthropic: COMMON,
  openai: COMMON,
  generic: COMMON,
  "openai-strict": [
    ...COMMON,
    { name: "every part is typed", holds: (part) => isOneTyped(part) || has(part, "anyOf") },
    {
      name: "objects are closed, and all names needed",
      holds: (part) =>
        !types(part).includes("object") ||
        (part["additionalProperties"] === false && names(part).every((name) => needed(part).includes(name))),
    },
    { name: "lists name their items", holds: (part) => !types(part).includes("array") || has(part, "items") },
    {
      name: "no unsupported keyword",
      holds: (part) =>
        !has(part, "allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas") &&
        !has(part, "patternProperties", "propertyNames", "prefixItems", "minLength", "maxLength", "default"),
    },
    { name: "at most ten levels", at: "root", holds: (root) => levelsOf(root) <= 10 },
    { name: "at most 5,000 names", at: "root", holds: (root) => partsOf(root).flatMap(names).length <= 5000 },
  ],
  gemini: [
    ...COMMON.filter(({ name }) => name !== "draft 2020-12"),
    {
      name: "only fields of its Schema",
      holds: (part) => Object.keys(part).every((key) => GEMINI_FIELDS.includes(key)),
    },
    { name: "one type, by name", holds: (part) => part["type"] === undefined || typeof part["type"] === "string" },
    { name: "nothing beside anyOf", holds: (part) => !has(part, "anyOf") || Object.keys(part).length === 1 },
    {
      name: "choices differ in type",
      holds: ({ anyOf }) => {
        const kinds = Array.isArray(anyOf) ? anyOf.map(({ type }: JsonSchema) => type) : [];
        return new Set(kinds).size === kinds.length;
      },
    },
    {
      name: "values are strings with something in them",
      holds: ({ type, enum: values }) =>
        values === undefined ||
        (type === "string" && (values as unknown[]).every((each) => typeof each === "string" && each !== "")),
    },
    { name: "lists name their items", holds: (part) => part["type"] !== "array" || has(part, "items") },
    {
      name: "what is needed is there",
      holds: (part) => needed(part).every((name) => names(part).includes(String(name))),
    },
  ],
  xai: [
    ...COMMON,
    {
      name: "no unsupported keyword",
      holds: (part) =>
        !has(part, "oneOf", "allOf", "not", "if", "minLength", "maxLength", "minItems", "maxItems") &&
        !has(part, "minContains", "maxContains", "pattern", "format"),
    },
    { name: "one type, by name", holds: (part) => part["type"] === undefined || typeof part["type"] === "string" },
  ],
};

const GEMINI_FIELDS = ["type", "title", "description", "nullable", "enum", "items", "properties", "required", "anyOf"];

function levelsOf(schema: JsonSchema): number {
  const children = [
    ...Object.values((schema["properties"] as Record<string, JsonSchema>) ?? {}),
    ...((schema["anyOf"] as JsonSchema[] | undefined) ?? []),
    ...(schema["items"] ? [schema["items"] as JsonSchema] : []),
  ];
  return (types(schema).includes("object") ? 1 : 0) + Math.max(0, ...children.map(levelsOf));
}
