import { describe, expect, it } from "vitest";
import { cursorAt } from "../../../src/workspace/read/cursor.ts";
import { appOn, callerOf, callerOn, scratch, type Caller, type Tree } from "../scratch.ts";

const TOKEN = "t0ps3cr3t-vqlue-0f-a-t0ken";
const ENV = `API_TOKEN="${TOKEN}"\n`;
const PLACEHOLDER = "‹secret:API_TOKEN#1›";
const MIB = 2 ** 20;

async function knowing(tree: Tree): Promise<Caller> {
  const caller = callerOn(scratch({ ".env": ENV, ...tree }), { loopDetection: false });
  await caller("read", { path: ".env" });
  return caller;
}

/** Every stretch of the value that is long enough to tell something. */
const PIECES = Array.from({ length: TOKEN.length - 4 }, (_, at) => TOKEN.slice(at, at + 5));

function expectNothingOf(answer: unknown): void {
  const said = JSON.stringify(answer);
  expect(PIECES.filter((piece) => said.includes(piece))).toEqual([]);
}

/** A long line with the value at a distance from what is looked for. */
const lineWith = (distance: number, side: "before" | "after"): string => {
  const gap = "-".repeat(distance);
  const middle = side === "before" ? `${TOKEN}${gap}NEEDLE` : `NEEDLE${gap}${TOKEN}`;
  return `${".".repeat(400)}${middle}${".".repeat(400)}`;
};

describe("an excerpt of a long line", () => {
  const sizes = [
    { size: "small", filler: "" },
    { size: "large", filler: "filler\n".repeat(MIB / 7 + 1) },
  ];
  const sides = [
    { side: "before" as const, distances: [36, 40, 48, 56, 60] },
    { side: "after" as const, distances: [150, 155, 160, 165, 170, 173] },
  ];
  it.each(sizes.flatMap((size) => sides.map((side) => ({ ...size, ...side }))))(
    "of a $size file has no part of a known value $side the match",
    async ({ filler, side, distances }) => {
      const tree = Object.fromEntries(distances.map((each) => [`${each}.txt`, `${filler}${lineWith(each, side)}\n`]));
      const caller = await knowing(tree);
      for (const more of [{}, { multiline: true }, { path: `${distances[0]}.txt` }, { context: 1 }]) {
        const answer = await caller("grep", { pattern: "NEEDLE", ...more });
        expect(answer.data["total_matches"]).toBe("path" in more ? 1 : distances.length);
        expectNothingOf(answer);
      }
    },
  );

  it.each(sizes)("of a $size file has none in the lines around a match", async ({ filler }) => {
    const long = `${"-".repeat(230)}${TOKEN}${"-".repeat(99)}`;
    const caller = await knowing({ "a.txt": `${filler}${long}\nNEEDLE\n${long}\n` });
    const answer = await caller("grep", { pattern: "NEEDLE", context: 1 });
    expect(answer.text).toContain("NEEDLE");
    expectNothingOf(answer);
  });

  it("shows the placeholder where all of the value is in it", async () => {
    const caller = await knowing({ "a.txt": lineWith(10, "before") });
    expect((await caller("grep", { pattern: "NEEDLE" })).text).toContain(`${PLACEHOLDER}----------NEEDLE`);
    expect((await caller("grep", { pattern: PLACEHOLDER })).data["total_matches"]).toBe(1);
  });

  it("counts no pieces of a known value, and finds it by none", async () => {
    const caller = await knowing({ "a.txt": `token ${TOKEN} here\n` });
    const groups = await caller("grep", { pattern: "token (.....)", count_by: 1 });
    expectNothingOf(groups);
    expect((await caller("grep", { pattern: TOKEN.slice(0, 6) })).data["total_matches"]).toBe(0);
  });
});

const longLine = (before: number): string => `${"-".repeat(before)}${TOKEN}${"-".repeat(MIB)}`;

describe("a page of a large file that is cut inside a line", () => {
  it.each([3, 8, 12, 20, 25])("does not end with the first %d characters of a known value", async (inside) => {
    const caller = await knowing({ "a.txt": longLine(4096 - inside) });
    const first = await caller("read", { path: "a.txt", max_bytes: 4096 });
    expectNothingOf(first);
    const next = await caller("read", { path: "a.txt", max_bytes: 4096, cursor: first.data["cursor"] });
    expectNothingOf(next);
    expect(String(first.data["content"]) + String(next.data["content"])).toContain(PLACEHOLDER);
  });

  it.each([1, 8, 20])("does not begin %d characters inside a known value", async (inside) => {
    const root = scratch({ ".env": ENV, "a.txt": longLine(100) });
    const app = appOn(root, { loopDetection: false });
    const caller = callerOf(app);
    await caller("read", { path: ".env" });
    const { facts } = await app.session.workspace
      .view({
        checkAccess: () => {},
        mayOpen: () => true,
        mayHideBelow: () => false,
        deniedBelow: () => [],
        signal: { aborted: false },
        progress: () => {},
      })
      .withFile("a.txt", async (file) => file);
    const cursor = cursorAt({ byte: 100 + inside }, facts);
    const answer = await caller("read", { path: "a.txt", max_bytes: 4096, cursor });
    expect(answer.code).toBe("ok");
    expectNothingOf(answer);
    expectNothingOf(await caller("read", { path: "a.txt", unit: "bytes", offset: 100 + inside, limit: 50 }));
  });
});
