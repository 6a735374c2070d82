import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonSchema, listedInput } from "../../src/schema/listed-schema.ts";
import { normalize } from "../../src/schema/normalize.ts";
import { mapParts } from "../../src/schema/subschemas.ts";
import { type Provider, PROVIDERS } from "../../src/schema/providers.ts";
import { isStrict, withoutNulls } from "../../src/schema/strict.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";
import { schemaWithValue } from "./generated.ts";
import { brokenRules } from "./provider-rules.ts";

const isValid = (schema: JsonSchema, value: unknown): boolean =>
  new Validator(standard(schema), "2020-12").validate(value).valid;

/** Gemini's mark for null, in words that a validator knows. */
function standard(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, each: unknown) => {
    if (typeof each !== "object" || each === null || (each as JsonSchema)["nullable"] !== true) return each;
    return { anyOf: [{ ...each, nullable: undefined }, { type: "null" }] };
  }) as JsonSchema;
}

/** Closes a schema that names properties and nothing more; leaves an `allOf` as it is. */
const asMeant = (schema: JsonSchema): JsonSchema =>
  "allOf" in schema
    ? schema
    : mapParts(
        schema["properties"] && schema["additionalProperties"] === undefined
          ? { ...schema, additionalProperties: false }
          : schema,
        asMeant,
      );

const RUNS = { numRuns: 500 };
const LENIENT = (Object.keys(PROVIDERS) as Provider[]).filter((provider) => provider !== "openai-strict");

describe.each(LENIENT)("for %s", (provider) => {
  it("whatever was valid is valid still, and no rule is broken", () => {
    fc.assert(
      fc.property(schemaWithValue(), ({ schema, value }) => {
        fc.pre(isValid(asMeant(schema), value));
        const rewritten = normalize(schema, provider);
        expect(brokenRules(provider, rewritten)).toEqual([]);
        expect(isValid(rewritten, value)).toBe(true);
      }),
      RUNS,
    );
  });

  it.each(BUILTIN_TOOLS)("$name breaks no rule", ({ input }) => {
    expect(brokenRules(provider, normalize(listedInput(input), provider))).toEqual([]);
  });

  it("done twice is done once", () => {
    fc.assert(
      fc.property(schemaWithValue(), ({ schema }) => {
        const once = normalize(schema, provider);
        expect(normalize(once, provider)).toEqual(once);
      }),
    );
  });
});

it.each(LENIENT)("for %s nothing stays that is no schema", (provider) => {
  const nothing = { type: "object", properties: null, required: null, description: null };
  const schema = {
    type: "object",
    properties: { none: nothing, missing: null, list: { type: "array", items: nothing }, any: { anyOf: null } },
    required: ["none"],
    additionalProperties: null,
  };
  const normalized = normalize(schema, provider);
  expect(brokenRules(provider, normalized)).toEqual([]);
  expect(JSON.stringify(normalized)).not.toMatch(/:null|null[,\]]/);
  expect(normalize({ type: "object", properties: null }, provider)).toMatchObject({ properties: {} });
});

describe("for OpenAI in strict mode", () => {
  it("whatever was valid is valid still, spelt out with null for what is absent, and comes back as it was", () => {
    fc.assert(
      fc.property(schemaWithValue(), ({ schema, value }) => {
        fc.pre(isValid(asMeant(schema), value));
        const strict = normalize(schema, "openai-strict");
        // Where null is a value of its own, it cannot be told from absence.
        fc.pre(isStrict(strict) && !JSON.stringify(value).includes("null"));
        expect(brokenRules("openai-strict", strict)).toEqual([]);
        const spelt = speltOut(strict, value);
        expect(isValid(strict, spelt)).toBe(true);
        expect(withoutNulls(normalize(schema, "openai"), spelt)).toEqual(value);
      }),
      RUNS,
    );
  });

  it.each(BUILTIN_TOOLS)("$name is strict and breaks no rule", ({ input }) => {
    const strict = normalize(listedInput(input), "openai-strict");
    expect([isStrict(strict), brokenRules("openai-strict", strict)]).toEqual([true, []]);
  });

  it.each([
    { name: "an object that takes any name", schema: { type: "object", additionalProperties: true } },
    { name: "a map", schema: { additionalProperties: { type: "string" }, properties: {} } },
    { name: "names by pattern", schema: { properties: { a: {} }, patternProperties: { "^x": {} } } },
    { name: "anything", schema: { properties: { a: {} } } },
    { name: "a list of anything", schema: { properties: { a: { type: "array" } } } },
    { name: "a tuple", schema: { properties: { a: { prefixItems: [{ type: "string" }] } } } },
  ])("$name cannot be strict", ({ schema }) => {
    expect(isStrict(normalize(schema, "openai-strict"))).toBe(false);
  });
});

/** A value as a model has to write it in strict mode. */
function speltOut(schema: JsonSchema, value: unknown): unknown {
  const choices = schema["anyOf"] as readonly JsonSchema[] | undefined;
  if (choices) {
    const ways = choices.map((choice) => speltOut(choice, value));
    return ways.find((way, nth) => isValid(choices[nth] as JsonSchema, way));
  }
  if (Array.isArray(value)) return value.map((each) => speltOut((schema["items"] ?? {}) as JsonSchema, each));
  if (typeof value !== "object" || value === null) return value;
  const given = value as JsonSchema;
  const properties = Object.entries((schema["properties"] as Record<string, JsonSchema>) ?? {});
  const spelt = properties.map(([name, each]) => [
    name,
    Object.hasOwn(given, name) ? speltOut(each, given[name]) : null,
  ]);
  return { ...given, ...Object.fromEntries(spelt) };
}
