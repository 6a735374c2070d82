import { LIMITS } from "../base/limits.ts";
import type { JsonSchema } from "./listed.ts";
import { ANYTHING, isSchema, mapParts, only, type Rewrite, without } from "./parts.ts";

/** Puts every definition where it is meant. What leads in circles, away or nowhere may be anything. */
export const inlineReferences: Rewrite = (root) => {
  let room: number = LIMITS.schemaParts;
  const visit = (schema: JsonSchema, { base, entered }: ReferenceScope, depth: number): JsonSchema => {
    if (room-- <= 0 || depth > LIMITS.schemaDepth) return ANYTHING;
    const here = typeof schema["$id"] === "string" ? schema : base;
    const go = (part: JsonSchema, more: readonly JsonSchema[]) => visit(part, { base: here, entered: more }, depth + 1);
    if (!("$ref" in schema)) return mapParts(without(schema, ADDRESSING), (part) => go(part, entered));
    const target = targetOf(here, schema["$ref"]);
    const isNew = target !== undefined && !entered.includes(target);
    return { ...(isNew ? go(target, [...entered, target]) : ANYTHING), ...only(schema, ANNOTATIONS) };
  };
  return visit(root, { base: root, entered: [root] }, 0);
};

interface ReferenceScope {
  /** The schema that references are relative to. */
  readonly base: JsonSchema;
  /** What was entered by reference on the way here. */
  readonly entered: readonly JsonSchema[];
}

/** What is only there to be pointed at, and words on a schema as a whole. */
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

/** Keywords that mean something to readers only. */
export const ANNOTATIONS = ["title", "description"];

/** `#/$defs/name`, or any other place within the schema. */
function targetOf(home: JsonSchema, reference: unknown): JsonSchema | undefined {
  if (reference === "#") return home;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let place: unknown = home;
  for (const step of reference.slice(2).split("/").map(unescaped)) {
    const isThere = typeof place === "object" && place !== null && Object.hasOwn(place, step);
    place = isThere ? (place as Record<string, unknown>)[step] : undefined;
  }
  return isSchema(place) ? place : undefined;
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return step;
  }
}
