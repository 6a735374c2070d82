import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";

/** The pattern of the registry's schema of 2025-12-11, as all that follows. Unknown keys are refused, to find slips. */
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
/** Ranges and tags are refused by the registry. */
const exactVersion = z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
const positional = z.strictObject({
  type: z.literal("positional"),
  valueHint: z.string().min(1),
  description: z.string(),
  format: z.enum(["string", "number", "boolean", "filepath"]),
  isRequired: z.boolean(),
  isRepeated: z.boolean(),
});
const npmPackage = z.strictObject({
  registryType: z.literal("npm"),
  identifier: z.string().min(1),
  version: exactVersion,
  runtimeHint: z.literal("npx"),
  transport: z.strictObject({ type: z.literal("stdio") }),
  packageArguments: z.array(positional).min(1),
});
const serverJson = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z.string().min(3).max(200).regex(NAME),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: exactVersion.max(255),
  repository: z.strictObject({ url: z.url({ protocol: /^https$/ }), source: z.literal("github") }),
  packages: z.array(npmPackage).min(1),
});

const jsonIn = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

it("server.json is what the registry takes, and names this package", () => {
  const described = serverJson.parse(jsonIn("server.json"));
  const { name, version, mcpName, repository } = jsonIn("package.json") as Record<string, string> & {
    repository: { url: string };
  };
  expect(described).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
  expect(repository.url).toBe(`git+${described.repository.url}.git`);
});

it.each([
  ["no name", { name: undefined }],
  ["a name without a namespace", { name: "holdfast" }],
  ["a description that is too long", { description: "x".repeat(101) }],
  ["a range of versions", { version: "^0.1.0" }],
  ["the newest version", { packages: [{ ...serverJson.parse(jsonIn("server.json")).packages[0], version: "latest" }] }],
])("refuses %s", (_, wrong) => {
  expect(serverJson.safeParse({ ...serverJson.parse(jsonIn("server.json")), ...wrong }).success).toBe(false);
});
