import { expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import type { JsonSchema } from "../../src/schema/listed-schema.ts";
import { normalize } from "../../src/schema/normalize.ts";
import { partsOf } from "../../src/schema/subschemas.ts";
import type { Provider } from "../../src/schema/providers.ts";
import { withoutNulls } from "../../src/schema/strict.ts";
import { workFromNow } from "../work.ts";

const text = { type: "string" };
const whole = { type: "integer" };

const ROWS: readonly { name: string; for: Provider; from: JsonSchema; to: JsonSchema }[] = [
  { name: "nothing at all is an object", for: "generic", from: {}, to: { type: "object", properties: {} } },
  {
    name: "a choice between objects: all names, what all of them need, values put together",
    for: "generic",
    from: {
      anyOf: [
        {
          type: "object",
          properties: { action: { const: "read", description: "What to do" }, path: text },
          required: ["action", "path"],
        },
        { type: "object", properties: { action: { const: "stop" }, reason: text }, required: ["action"] },
      ],
    },
    to: {
      type: "object",
      properties: { action: { description: "What to do", enum: ["read", "stop"] }, path: text, reason: text },
      required: ["action"],
    },
  },
  {
    name: "a choice of what is needed beside names for all",
    for: "anthropic",
    from: {
      type: "object",
      properties: { a: text, b: text, c: text },
      required: ["c"],
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    to: { type: "object", properties: { a: text, b: text, c: text }, required: ["c"] },
  },
  {
    name: "what holds together",
    for: "openai",
    from: {
      allOf: [
        { properties: { a: text }, required: ["a"] },
        { properties: { b: whole }, required: ["b"] },
      ],
    },
    to: { type: "object", properties: { a: text, b: whole }, required: ["a", "b"] },
  },
  {
    name: "words of older drafts and of OpenAPI",
    for: "anthropic",
    from: {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: {
        pair: { type: "array", items: [text, whole], additionalItems: false },
        above: { type: "number", minimum: 1, exclusiveMinimum: true },
        maybe: { type: "string", nullable: true, enum: ["x"] },
        old: { ...text, required: true },
      },
      dependencies: { pair: ["above"] },
    },
    to: {
      type: "object",
      properties: {
        pair: { type: "array", prefixItems: [text, whole], items: false },
        above: { type: "number", minimum: 1 },
        maybe: { type: ["string", "null"], enum: ["x", null] },
        old: text,
      },
    },
  },
  {
    name: "definitions, wherever they are",
    for: "openai",
    from: {
      properties: {
        a: { $ref: "#/$defs/odd~1name" },
        b: { $ref: "#/definitions/with%20space", description: "B" },
        c: { $ref: "#/properties/a" },
        d: { $ref: "https://example.com/else" },
        e: { $ref: "#/$defs/none" },
        f: { $ref: "#" },
      },
      $defs: { "odd/name": text },
      definitions: { "with space": whole },
    },
    to: { type: "object", properties: { a: text, b: { ...whole, description: "B" }, c: text, d: {}, e: {}, f: {} } },
  },
  {
    name: "a reference in a schema with an address of its own",
    for: "generic",
    from: {
      properties: {
        a: { $id: "https://example.com/a", properties: { b: { $ref: "#/$defs/x" } }, $defs: { x: whole } },
      },
      $defs: { x: text },
    },
    to: { type: "object", properties: { a: { properties: { b: whole } } } },
  },
  {
    name: "several types, values of several types, null",
    for: "gemini",
    from: {
      properties: {
        pattern: { type: ["string", "array"], items: text, description: "One or many" },
        mode: { enum: ["a", "b", null] },
        level: { enum: [1, 2] },
        empty: { enum: ["", "x"] },
        either: { oneOf: [{ type: "integer" }, { type: "number" }, { type: "null" }] },
        nothing: { type: "null" },
        kind: { const: "k" },
      },
      additionalProperties: false,
    },
    to: {
      type: "object",
      properties: {
        pattern: {
          anyOf: [
            { ...text, description: "One or many" },
            { type: "array", items: text },
          ],
        },
        mode: { ...text, enum: ["a", "b"], nullable: true },
        level: whole,
        empty: text,
        either: { type: "number", nullable: true },
        nothing: { type: "null" },
        kind: { ...text, enum: ["k"] },
      },
    },
  },
  {
    name: "bounds, formats, tuples and free objects",
    for: "gemini",
    from: {
      properties: {
        name: { ...text, minLength: 1, pattern: "^a", format: "email", default: "a", examples: ["a"], title: "Name" },
        pair: { type: "array", prefixItems: [text, whole], items: false, minItems: 2 },
        list: { type: "array" },
        map: { type: "object", additionalProperties: text },
      },
      required: ["name", "unknown"],
    },
    to: {
      type: "object",
      properties: {
        name: { ...text, title: "Name" },
        pair: { type: "array", items: { anyOf: [text, whole] } },
        list: { type: "array", items: {} },
        map: { type: "object" },
      },
      required: ["name"],
    },
  },
  {
    name: "all names needed, and null for what may be absent",
    for: "openai-strict",
    from: {
      properties: {
        path: text,
        limit: whole,
        order: { enum: ["a", "b"] },
        pattern: { type: ["string", "array"], items: text },
        edits: {
          type: "array",
          items: { properties: { old: { ...text, minLength: 1 }, count: whole }, required: ["old"] },
        },
      },
      required: ["path"],
    },
    to: {
      type: "object",
      properties: {
        path: text,
        limit: { type: ["integer", "null"] },
        order: { type: ["string", "null"], enum: ["a", "b", null] },
        pattern: { anyOf: [text, { type: "array", items: text }, { type: "null" }] },
        edits: {
          type: ["array", "null"],
          items: {
            type: "object",
            properties: { old: text, count: { type: ["integer", "null"] } },
            required: ["old", "count"],
            additionalProperties: false,
          },
        },
      },
      required: ["path", "limit", "order", "pattern", "edits"],
      additionalProperties: false,
    },
  },
  {
    name: "lengths and patterns, and a choice of one",
    for: "xai",
    from: { properties: { a: { ...text, maxLength: 9, pattern: "x" }, b: { allOf: [whole] }, c: { oneOf: [text] } } },
    to: { type: "object", properties: { a: text, b: whole, c: text } },
  },
];

it.each(ROWS)("$for: $name", (row) => {
  expect(normalize(row.from, row.for)).toEqual(row.to);
});

it("nobody guesses at a provider that is not known", () => {
  expect(() => normalize({}, "toString" as Provider)).toThrow(
    'Cannot rewrite for "toString": the providers are anthropic,',
  );
});

it("a schema that leads to itself ends", () => {
  const node = { type: "object", properties: { child: { $ref: "#/$defs/node" } } };
  expect(normalize({ properties: { root: { $ref: "#/$defs/node" } }, $defs: { node } }, "gemini")).toEqual({
    type: "object",
    properties: { root: { type: "object", properties: { child: {} } } },
  });
});

it("a name that means something to JavaScript is a name", () => {
  const from = JSON.parse(
    '{"properties":{"__proto__":{"type":"string","maxLength":3},"constructor":{"$ref":"#/$defs/toString"}}}',
  );
  expect(Object.entries(normalize(from, "gemini")["properties"] as object)).toEqual([
    ["__proto__", text],
    ["constructor", {}],
  ]);
});

it.each([
  { name: "doubling definitions", schema: doubling(40) },
  { name: "a well without ground", schema: deep(20_000) },
  {
    name: "a choice of thousands",
    schema: { anyOf: Array.from({ length: 5000 }, (_, n) => ({ properties: { [`p${n}`]: text } })) },
  },
])("stays small and quick: $name", ({ schema }) => {
  const spent = workFromNow();
  const rewritten = normalize(schema, "gemini");
  expect(partsOf(rewritten).length).toBeLessThanOrEqual(LIMITS.schemaParts);
  expect(spent()).toBeLessThan(5000);
});

/** Each definition holds the next one twice. */
function doubling(levels: number): JsonSchema {
  const definitions = Array.from({ length: levels }, (_, n) => [`d${n}`, twice(n + 1)]);
  return { ...twice(0), $defs: Object.fromEntries(definitions) };
}

function twice(n: number): JsonSchema {
  return { properties: { a: { $ref: `#/$defs/d${n}` }, b: { $ref: `#/$defs/d${n}` } } };
}

function deep(levels: number): JsonSchema {
  let schema: JsonSchema = text;
  for (let n = 0; n < levels; n++) schema = { type: "array", items: schema };
  return { properties: { deep: schema } };
}

it.each([
  { name: "optional", value: { a: null, b: 1 }, back: { b: 1 } },
  { name: "needed", value: { a: 1, b: null }, back: { a: 1, b: null } },
  { name: "unknown", value: { b: 1, z: null }, back: { b: 1, z: null } },
  { name: "within a list", value: { b: 1, c: [{ d: null }] }, back: { b: 1, c: [{}] } },
  { name: "no object", value: "text", back: "text" },
])("null stands for absence only where it can: $name", ({ value, back }) => {
  const schema = {
    properties: { a: whole, b: whole, c: { type: "array", items: { properties: { d: text } } } },
    required: ["b"],
  };
  expect(withoutNulls(schema, value)).toEqual(back);
});
