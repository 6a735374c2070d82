import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { WORKSPACE_FILE, workspacePlaces } from "../../../src/config/places.ts";
import { requireUsable } from "../../../src/runtime/rules/check-layer.ts";
import { needs } from "../../programs.ts";
import { appOn, callerOf, scratch } from "../scratch.ts";

const rules = (...written: object[]) => JSON.stringify({ policy: { rules: written } });
const blocking = (path: string, more = {}) => ({ act: "write", path, decide: "blocked", ...more });
const BRACES = "{a,b,c,d,e,f,g,h,i,j}".repeat(3);

it.each([
  { name: "no JSON", text: "{ nonsense", says: "Cannot use the configuration: " },
  { name: "an unknown key", text: '{ "polcy": {} }', says: 'there is no key "polcy"; did you mean "policy"?' },
  { name: "what widens", text: '{ "tools": { "allow": ["*"] } }', says: "a workspace may only tighten" },
  { name: "a group that is none", text: '{ "tools": { "deny": ["group:fz"] } }', says: 'no group "group:fz"' },
  { name: "an example that fails", text: rules(blocking("a", { match: ["b"] })), says: 'its own example "b"' },
  { name: "a pattern that is none", text: rules(blocking("a/{b")), says: 'this "{" is never closed' },
  {
    name: "braces without measure",
    text: rules(...Array.from({ length: 1000 }, (_, nth) => blocking(`${nth}/${BRACES}/*`))),
    says: "expand to more than 262144 characters",
  },
  {
    name: "examples without measure",
    text: rules(blocking("a", { not_match: Array.from({ length: LIMITS.ruleExamples + 1 }, () => "b") })),
    says: "not_match",
  },
  { name: "a huge file", text: " ".repeat(LIMITS.configBytes + 1), says: "it is larger than" },
  { name: "a link", place: (file: string) => symlinkSync("a.txt", file), says: "it cannot be opened" },
  { name: "a pipe", place: makeFifo, says: "it is not a regular file" },
])("a workspace file with $name lets nothing be changed", async ({ text = "", place = plainFile(text), says }) => {
  const root = scratch({ "a.txt": "A" });
  place(join(root, WORKSPACE_FILE));
  const { layers } = loadConfig(workspacePlaces([root]), requireUsable);
  const warnings: string[] = [];
  const caller = callerOf(appOn(root, { ruleSource: { layers }, warn: (message) => warnings.push(message) }));
  expect((await caller("read", { path: "a.txt" })).code).toBe("ok");
  for (const [tool, input] of CHANGES) {
    const { code, text: answer } = await caller(tool, input);
    expect([code, answer]).toEqual(["denied", expect.stringContaining(says)]);
  }
  const { text: session, data } = await caller("session");
  expect([session, warnings]).toEqual([expect.stringContaining(says), [expect.stringContaining(says)]]);
  expect(data).toMatchObject({ problems: warnings, roots: [{ read: true, write: false }] });
});

const CHANGES = [
  ["write", { path: "b.txt", content: "B" }],
  ["edit", { path: "a.txt", oldText: "A", newText: "B" }],
  ["move", { source: "a.txt", destination: "b.txt" }],
  ["delete", { path: "a.txt" }],
  ["mkdir", { path: "d" }],
] as const;

function makeFifo(file: string): void {
  needs("mkfifo");
  execFileSync("mkfifo", [file]);
}

const plainFile = (text: string) => (file: string) => writeFileSync(file, text);

it("what a file of the operator cannot say stays an error", () => {
  const root = scratch({ "f.jsonc": '{ "polcy": {} }' });
  const place = { layer: "user", file: join(root, "f.jsonc"), isNamed: true } as const;
  expect(() => loadConfig([place], requireUsable)).toThrow('there is no key "polcy"');
});

it("many plain patterns, and some with braces, are no trouble", () => {
  const many = Array.from({ length: 900 }, (_, nth) => blocking(`dir${nth}/**/*.{ts,tsx,js}`));
  const root = scratch({ [WORKSPACE_FILE]: rules(...many, blocking(`x/${BRACES}`)) });
  const { layers } = loadConfig(workspacePlaces([root]), requireUsable);
  expect(layers.map(({ rules: { length }, unusable }) => [length, unusable])).toEqual([[901, undefined]]);
});
