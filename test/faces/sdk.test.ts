import { join } from "node:path";
import { expect, it } from "vitest";
import { CODES, createHoldfast, Fault } from "../../src/index.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

const open = (root: string, options = {}) =>
  createHoldfast({ roots: [root], stateDirectory: stateBeside(root), ...options });

it("calls a tool and closes", async () => {
  const holdfast = open(scratch({ "a.txt": "a\n" }));
  expect(await holdfast.call("read", { path: "a.txt" })).toEqual({
    isError: false,
    text: "a\n",
    data: {
      path: "a.txt",
      content: "a\n",
      encoding: "utf-8",
      version: expect.stringMatching(/^c-/),
      size: 2,
      modified: expect.stringMatching(/Z$/),
      total_lines: 1,
      truncated: false,
    },
  });
  holdfast.close();
  holdfast.close();
});

it("never rejects for what a tool finds: a fault is an answer", async () => {
  const holdfast = open(scratch());
  const inputs = [undefined, null, 5, "x", [], {}, { path: 1 }, { path: "none" }, { path: "../x" }, { path: "\0" }];
  const answers = await Promise.all(inputs.map((input) => holdfast.call("read", input)));
  const codes = answers.map(({ isError, data }) => [isError, (data["error"] as { code: string }).code]);
  expect(codes).toEqual([
    ...Array.from({ length: 7 }, () => [true, "invalid_input"]),
    [true, "not_found"],
    [true, "outside_workspace"],
    [true, "invalid_input"],
  ]);
  holdfast.close();
});

it("keeps what it answered once", async () => {
  const holdfast = open(scratch({ "a.txt": "" }));
  const { data } = await holdfast.call("session", {});
  const then = structuredClone(data);
  await holdfast.call("ls", {});
  expect(data).toEqual(then);
  holdfast.close();
});

it("stops by a signal", async () => {
  const holdfast = open(scratch({ "a.txt": "" }));
  const { data } = await holdfast.call("ls", {}, { signal: AbortSignal.abort() });
  expect(data["error"]).toMatchObject({ code: "cancelled" });
  holdfast.close();
});

it.each([
  { name: "no root", roots: [] },
  { name: "a missing root", roots: ["none"] },
])("throws for $name", ({ roots }) => {
  const root = scratch();
  const given = roots.map((name) => join(root, name));
  expect(() => createHoldfast({ roots: given, stateDirectory: stateBeside(root) })).toThrow(Fault);
});

it("tells of roots that it had to skip", () => {
  const root = scratch();
  const told: string[] = [];
  const warn = (message: string) => void told.push(message);
  const none = join(root, "none");
  createHoldfast({ roots: [root, none], stateDirectory: stateBeside(root), warn }).close();
  expect(told).toEqual([expect.stringContaining(`${JSON.stringify(none)}: it does not exist`)]);
});

it.each(Object.entries(CODES))("the code %s has a hint and a kind", (code, { kind, hint }) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(kind).toMatch(/^(input|denied|missing|conflict|stopped|internal)$/);
  expect(hint).toMatch(/^[A-Z].*[^.]$/);
});
