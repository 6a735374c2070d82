import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { App } from "../../../src/app/app.ts";
import type { Options } from "../../../src/app/options.ts";
import { loadDialect } from "../../../src/dialects/load.ts";
import { appOn, callerOf, callerOn, scratch } from "../scratch.ts";

const SECRETS = "PROD_TOKEN=sk_live_51Hxyz9876543210abcdef\n";
const TREE = { ".env": "API_TOKEN=t0ps3cr3t-value\n", ".env.production": SECRETS, "plain.txt": "plain\n" };

const patch = (...lines: string[]) => ({ input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
const moved = (from: string, to: string): string[] => [`*** Update File: ${from}`, `*** Move to: ${to}`];
const rotated = (one: string, other: string) =>
  patch(...moved(other, "between"), ...moved(one, other), ...moved("between", one));
const onto = (source: string, destination: string) => ({ source, destination, overwrite: true });

interface Scene {
  readonly root: string;
  readonly app: App;
  /** Reasons of the questions that were asked. */
  readonly questions: string[];
}

/** A session that wrote a placeholder into `out.txt` and into `other.txt`, and whose questions are answered with no. */
async function scene(options: Partial<Options> = {}): Promise<Scene> {
  const root = scratch(TREE);
  const questions: string[] = [];
  const app = appOn(root, {
    approver: async ({ reasons }) => {
      questions.push(...reasons);
      return { decision: "deny" };
    },
    ...options,
  });
  const caller = callerOf(app);
  await caller("read", { path: ".env" });
  for (const path of ["out.txt", "other.txt"]) {
    const answer = await caller("write", { path, content: "k ‹secret:API_TOKEN#1›\n" });
    expect(answer.code).toBe("ok");
  }
  return { root, app, questions };
}

const textIn = (root: string, name: string): string => readFileSync(join(root, name), "utf8");

const ASKED = "it may hold secrets, and under its new name they would be shown";

describe("a placeholder in a file does not make it a place for secrets", () => {
  it.each([
    ["move", onto(".env.production", "out.txt")],
    ["copy", onto(".env.production", "out.txt")],
    ["apply_patch", rotated(".env.production", "out.txt")],
    ["apply_patch", patch("*** Delete File: out.txt", ...moved(".env.production", "out.txt"))],
    ["apply_patch", patch("*** Delete File: out.txt", ...moved(".env.production", "out.txt"), "@@", "+MODE=x")],
  ])("%s %j", async (tool, input) => {
    const { root, app, questions } = await scene();
    const answer = await callerOf(app)(tool, input);
    expect(answer.isError).toBe(true);
    expect([textIn(root, "out.txt"), textIn(root, ".env.production")]).toEqual(["k t0ps3cr3t-value\n", SECRETS]);
    expect((await callerOn(root)("read", { path: "out.txt" })).text).not.toContain("sk_live");
    expect(questions.join()).toContain(ASKED);
  });

  it.each([
    ["capabilities", "filesystem__move", onto(".env.production", "out.txt")],
    ["capabilities", "filesystem__copy", onto(".env.production", "out.txt")],
    ["fractary", "fractary_file_move", onto(".env.production", "out.txt")],
    ["fractary", "fractary_file_copy", onto(".env.production", "out.txt")],
  ] as const)("in %s: %s", async (name, tool, input) => {
    const { root, app, questions } = await scene({ dialect: await loadDialect(name) });
    expect(app.surface.tools.map((each) => each.name)).toContain(tool);
    await app.surface.call({ tool, input, signal: new AbortController().signal });
    expect([textIn(root, "out.txt"), questions]).toEqual(["k t0ps3cr3t-value\n", [ASKED]]);
  });

  it.each([
    ["copy", onto(".env.production", ".env")],
    ["move", onto("out.txt", "other.txt")],
    ["move", onto("out.txt", ".env")],
  ])("nobody is asked where nothing is shown that was not: %s %j", async (tool, input) => {
    const { app, questions } = await scene();
    expect([(await callerOf(app)(tool, input)).code, questions]).toEqual(["ok", []]);
  });

  it("nor where every session covers every place", async () => {
    const { app, questions } = await scene({ secrets: "strict" });
    expect([(await callerOf(app)("move", onto(".env.production", "out.txt"))).code, questions]).toEqual(["ok", []]);
  });
});
