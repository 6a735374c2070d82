import { describe, expect, it } from "vitest";
import { CAPABILITIES } from "../../src/dialects/capabilities/capabilities.ts";
import { wireName } from "../../src/dialects/capabilities/definition.ts";
import { GENERAL, INVALID_INPUT } from "../../src/dialects/capabilities/errors.ts";
import { CASES, type CapabilityCase } from "./capabilities.cases.ts";
import { runCase } from "./dialect-case.ts";

it.each(CASES)("$name", async ({ call: [name, inputs], gives, error, recovery = "", ...each }) => {
  const call = [wireName(name), inputs] as const;
  const data = gives ?? refusalOf(error, recovery);
  const fails = error === undefined ? {} : { fails: ANY_CODE };
  const { happened, promised } = await runCase(
    "capabilities",
    { ...each, call, data, says: /^\{/, ...fails },
    () => {},
  );
  expect(happened).toEqual(promised);
  const { text, data: given } = happened as { readonly text: string; readonly data: unknown };
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(given)));
});

const shapeOf = (name: string) => CAPABILITIES.find((tool) => tool.capability.name === name)?.input.shape ?? {};

const ANY_CODE = expect.any(String) as unknown as string;

const refusalOf = (error: CapabilityCase["error"], recovery: string): unknown => ({
  error,
  message: expect.stringMatching(/^Cannot /),
  recovery: recovery.split(" ").map((action) => ({ action, description: expect.any(String) })),
});

describe("definitions", () => {
  const defined = CAPABILITIES.map((tool) => ({ ...tool, definition: tool.definition?.() ?? {} }));

  it("are those of the document, with their tiers", () => {
    const tiers = CAPABILITIES.map(
      ({ name, capability }) => `${capability.name} ${name} ${capability.permission_tier}`,
    );
    expect(tiers).toEqual([
      "filesystem.read filesystem__read autonomous",
      "filesystem.write filesystem__write notify",
      "filesystem.list filesystem__list autonomous",
      "filesystem.delete filesystem__delete approval_required",
      "filesystem.restore filesystem__restore notify",
      "filesystem.stat filesystem__stat autonomous",
      "filesystem.search filesystem__search autonomous",
      "filesystem.search_content filesystem__search_content autonomous",
      "filesystem.copy filesystem__copy notify",
      "filesystem.move filesystem__move notify",
      "filesystem.watch filesystem__watch autonomous",
      "filesystem.append filesystem__append notify",
      "agent.session agent__session autonomous",
      "alerts.send alerts__send autonomous",
      "system.disk_usage system__disk_usage autonomous",
    ]);
  });

  it.each(defined)("of $title are whole", ({ definition }) => {
    expect(definition).toEqual({
      name: expect.any(String),
      version: "1.0",
      permission_tier: expect.any(String),
      purpose: expect.stringMatching(/\.$/),
      when_to_use: expect.stringMatching(/\.$/),
      inputs: expect.objectContaining({ type: "object", properties: expect.any(Object) }),
      outputs: expect.objectContaining({ type: "object", properties: expect.any(Object) }),
      side_effects: expect.any(Array),
      common_patterns: expect.toSatisfy((patterns: unknown[]) => patterns.length > 0),
      errors: expect.any(Array),
      tags: expect.toSatisfy((tags: unknown[]) => tags.length > 0),
    });
  });

  const general = [...GENERAL, INVALID_INPUT].map((error) => ({ ...error, name: "filesystem.read" }));
  const own = CAPABILITIES.flatMap(({ capability: { name, errors } }) => errors.map((error) => ({ ...error, name })));
  const recoveries = [...own, ...general].flatMap(({ name, type, recovery }) =>
    recovery.map((each) => ({ name, type, ...each })),
  );

  it.each(recoveries)("$name, $type: $action can be called", ({ name, capability = name, inputs = {} }) => {
    const shape = shapeOf(capability);
    expect(CAPABILITIES.some((tool) => tool.capability.name === capability)).toBe(true);
    for (const [input, value] of Object.entries(inputs)) expect(shape[input]?.safeParse(value).success).toBe(true);
  });

  it("have a way out of every error", () => {
    expect([...own, ...general].filter(({ recovery }) => recovery.length === 0)).toEqual([]);
  });
});
