import { LIMITS } from "../base/limits.ts";
import type { JsonSchema } from "./listed-schema.ts";
import { ANYTHING, isSchema, mapParts, onlyKeywords, type Rewrite, withoutKeywords } from "./subschemas.ts";

/** Inlines every `$ref`. Circular, external and broken references become `ANYTHING`. */
export const inlineReferences: Rewrite = (root) => {
  let room: number = LIMITS.schemaParts;
  const visit = (schema: JsonSchema, { base, entered }: ReferenceScope, depth: number): JsonSchema => {
    if (room-- <= 0 || depth > LIMITS.schemaDepth) return ANYTHING;
    const here = typeof schema["$id"] === "string" ? schema : base;
    const go = (part: JsonSchema, more: readonly JsonSchema[]) => visit(part, { base: here, entered: more }, depth + 1);
    if (!("$ref" in schema)) return mapParts(withoutKeywords(schema, ADDRESSING), (part) => go(part, entered));
    const target = targetOf(here, schema["$ref"]);
    const isNew = target !== undefined && !entered.includes(target);
    return { ...(isNew ? go(target, [...entered, target]) : ANYTHING), ...onlyKeywords(schema, ANNOTATIONS) };
  };
  return visit(root, { base: root, entered: [root] }, 0);
};

interface ReferenceScope {
  /** The schema that references are relative to. */
  readonly base: JsonSchema;
  /** The targets entered by reference so far, to detect cycles. */
  readonly entered: readonly JsonSchema[];
}

/** Lists keywords that are useless without references, or describe the schema document. */
const ADDRESSING = [
  "$schema",
  "$id",
  "$anchor",
  "$comment",
  "$vocabulary",
  "$dynamicRef",
  "$dynamicAnchor",
  "$recursiveRef",
  "$recursiveAnchor",
  "$defs",
  "definitions",
];

/** Lists keywords for readers that do not affect validation. */
export const ANNOTATIONS = ["title", "description"];

/** Resolves a JSON pointer within the schema, such as `#/$defs/name`. */
function targetOf(home: JsonSchema, reference: unknown): JsonSchema | undefined {
  if (reference === "#") return home;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let place: unknown = home;
  for (const step of reference.slice(2).split("/").map(unescapeStep)) {
    const isThere = typeof place === "object" && place !== null && Object.hasOwn(place, step);
    place = isThere ? (place as Record<string, unknown>)[step] : undefined;
  }
  return isSchema(place) ? place : undefined;
}

function unescapeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return step;
  }
}
