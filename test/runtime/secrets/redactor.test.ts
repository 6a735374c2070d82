import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { versionOfBytes } from "../../../src/base/version.ts";
import type { Options } from "../../../src/app/options.ts";
import { appOn, callerOf, callerOn, scratch, stateBeside, type CallResult, type Tree } from "../scratch.ts";

const KEY = ["AKIA", "QWERTYUIOPASDFGH"].join("");
const ENV = `PORT=3000\nDB_PASSWORD=hunter2\nAWS_ID=${KEY}\nAPI_TOKEN="t0ps3cr3t-value"\n`;
const VALUES = ["hunter2", KEY, "t0ps3cr3t-value"];
const MASKED =
  'PORT=3000\nDB_PASSWORD=‹secret:DB_PASSWORD#1›\nAWS_ID=‹secret:AWS_KEY#1›\nAPI_TOKEN="‹secret:API_TOKEN#1›"\n';

/** Says no at once. */
const nobody: Options["approver"] = async () => ({ decision: "deny" });

/** Everything that a caller is told. */
const allOf = ({ text, data }: CallResult): string => `${text}\n${JSON.stringify(data)}`;

const expectNoValues = (answer: CallResult): void => {
  for (const value of VALUES) expect(allOf(answer)).not.toContain(value);
};

describe("reading", () => {
  it("shows placeholders, says so, and tells the version and size of what is really there", async () => {
    const answer = await callerOn(scratch({ ".env": ENV }))("read", { path: ".env" });
    expect(answer.data).toMatchObject({
      content: MASKED,
      version: versionOfBytes(Buffer.from(ENV)),
      size: ENV.length,
      total_lines: 4,
      masked_secrets: ["‹secret:DB_PASSWORD#1›", "‹secret:AWS_KEY#1›", "‹secret:API_TOKEN#1›"],
    });
    const note =
      "Secrets are shown as placeholders: ‹secret:DB_PASSWORD#1›, ‹secret:AWS_KEY#1›, ‹secret:API_TOKEN#1›. " +
      "Write a placeholder where its value is meant";
    expect(answer.data["notes"]).toEqual([note]);
    expect(answer.text).toContain(`[${note}]`);
    expectNoValues(answer);
  });

  it("explains placeholders once per file and session, and again when a file has new ones", async () => {
    const root = scratch({ "a/.env": "A_TOKEN=t0ps3cr3t-one\n", "b/.env": "A_TOKEN=t0ps3cr3t-one\n" });
    const app = appOn(root);
    const caller = callerOf(app);
    const hasNote = async (tool: string, input: object, ask = caller) => {
      const { text, data } = await ask(tool, input);
      expect(allOf({ text, data } as CallResult)).toContain("‹secret:A_TOKEN#1›");
      expect("masked_secrets" in data).toBe(text.includes("[Secrets are shown as placeholders"));
      return "masked_secrets" in data;
    };
    expect(await hasNote("read", { path: "a/.env" })).toBe(true);
    expect(await hasNote("read", { path: "a/.env" })).toBe(false);
    expect(await hasNote("grep", { pattern: "A_TOKEN", path: "a/.env" })).toBe(false);
    expect(await hasNote("read", { path: "b/.env" })).toBe(true);
    expect(await hasNote("grep", { pattern: "A_TOKEN", include_hidden: true })).toBe(false);
    writeFileSync(join(root, "a/.env"), "A_TOKEN=t0ps3cr3t-one\nB_TOKEN=t0ps3cr3t-two\n");
    expect(await hasNote("read", { path: "a/.env" })).toBe(true);
    expect(await hasNote("read", { path: "a/.env" }, callerOn(root))).toBe(true);
  });

  it("shows what is there by now, page after page and again", async () => {
    const root = scratch({ ".env": ENV });
    const caller = callerOn(root);
    const content = async (input: object = {}) => (await caller("read", { path: ".env", ...input })).data["content"];
    const port = { limit: 1 };
    expect([await content(), await content(), await content(port), await content()]).toEqual([
      MASKED,
      MASKED,
      "PORT=3000\n",
      MASKED,
    ]);
    expect(await content({ encoding: "windows-1252" })).not.toBe(MASKED);
    writeFileSync(join(root, ".env"), `${ENV}MORE=é\n`);
    expect([await content(), await content(port)]).toEqual([`${MASKED}MORE=é\n`, "PORT=3000\n"]);
  });

  it.each([
    { name: "a range of lines", input: { offset: 2, limit: 1 } },
    { name: "bytes", input: { unit: "bytes", offset: 22, limit: 6 } },
    { name: "base64", input: { encoding: "base64" } },
    { name: "part of base64", input: { encoding: "base64", offset: 22, limit: 9 } },
    { name: "another encoding", input: { encoding: "windows-1252" } },
    { name: "numbered lines", input: { line_numbers: true } },
  ])("leaks nothing by $name", async ({ input }) => {
    const answer = await callerOn(scratch({ ".env": ENV }))("read", { path: ".env", ...input });
    expect(answer.code).toBe("ok");
    expectNoValues(answer);
    const decoded = Buffer.from(String(answer.data["content"]), "base64").toString("latin1");
    for (const value of VALUES) expect(decoded).not.toContain(value.slice(0, 4));
  });

  it("gives back exactly the masked text page by page, wherever the pages are cut", async () => {
    const caller = callerOn(scratch({ ".env": ENV }), { loopDetection: false });
    for (const limit of [1, 5, 7, 11]) {
      const pages: Buffer[] = [];
      for (let offset: unknown = 0; offset !== undefined;) {
        const { data } = await caller("read", { path: ".env", encoding: "base64", offset, limit });
        pages.push(Buffer.from(String(data["content"]), "base64"));
        offset = data["next_offset"];
      }
      expect(Buffer.concat(pages).toString()).toBe(MASKED);
    }
  });

  it.each([
    { name: "a link to it", tree: { ".env": ENV, "plain.txt": { link: ".env" } }, path: "plain.txt" },
    { name: "a link named so", tree: { "plain.txt": ENV, ".env": { link: "plain.txt" } }, path: ".env" },
    { name: "UTF-16", tree: { ".env": Buffer.from(`\ufeff${ENV}`, "utf16le") }, path: ".env" },
    { name: "Latin-1", tree: { ".env": Buffer.from(`# für später, schön\n${ENV}`, "latin1") }, path: ".env" },
    { name: "a copy", tree: { ".env.bak": ENV }, path: ".env.bak" },
  ] satisfies readonly { name: string; tree: Tree; path: string }[])("covers $name", async ({ tree, path }) => {
    const answer = await callerOn(scratch(tree))("read", { path });
    expectNoValues(answer);
    expect(answer.text).toContain("DB_PASSWORD=‹secret:DB_PASSWORD#1›");
  });

  it("shows nothing of a key store that is not text", async () => {
    const tree = { "a.p12": Buffer.from([0x30, 0x82, 0, 1, 2, 3, 0, 255]) };
    const caller = callerOn(scratch(tree), { approver: async () => ({ decision: "once" }) });
    for (const encoding of [undefined, "base64"])
      expect((await caller("read", { path: "a.p12", encoding })).code).toBe("denied");
  });

  it.each([
    { secrets: "on", shown: true },
    { secrets: "strict", shown: false },
    { secrets: "off", shown: true },
  ] as const)("elsewhere, $secrets", async ({ secrets, shown }) => {
    const answer = await callerOn(scratch({ "a.ts": `const id = "${KEY}";\n` }), { secrets })("read", { path: "a.ts" });
    expect(answer.text.includes(KEY)).toBe(shown);
  });

  it("hides a known value wherever it stands, and values of the environment and of configured names", async () => {
    process.env["SHIELD_TEST_SECRET"] = "from-the-environment";
    const tree = { ".env": `${ENV}MOTTO=abcdefgh\n`, "notes.txt": `${KEY} from-the-environment abcdefgh` };
    const caller = callerOn(scratch(tree), { secretNames: ["MOTTO"] });
    delete process.env["SHIELD_TEST_SECRET"];
    await caller("read", { path: ".env" });
    const { data } = await caller("read", { path: "notes.txt" });
    expect(data["content"]).toBe("‹secret:AWS_KEY#1› ‹secret:SHIELD_TEST_SECRET#1› ‹secret:MOTTO#1›");
  });

  it("masks a large file piece by piece, also where a piece ends inside of a key", async () => {
    const filler = `${"x".repeat(1023)}\n`.repeat(1023);
    const lines = Array.from({ length: 40 }, (_, nth) => `${nth}`.padStart(2, "0").padEnd(64, "k"));
    const key = `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
    const root = scratch({ "big.env": `${filler}${key}${ENV}${filler}${ENV}` });
    const caller = callerOn(root);
    const middle = await caller("read", { path: "big.env", offset: 1024, limit: 46 });
    expect(middle.data["total_lines"] ?? 0).toBe(0);
    expectNoValues(middle);
    expect(allOf(middle)).not.toMatch(/\dkkkk/);
    expect(String(middle.data["content"]).match(/‹secret:PRIVATE_KEY#/g)).toHaveLength(40);
    expect((await caller("read", { path: "big.env", offset: -4 })).data["content"]).toBe(MASKED);
  });
});

describe("searching", () => {
  it.each([
    { name: "the line of a secret", input: { pattern: "DB_PASSWORD" }, found: 1 },
    { name: "lines around", input: { pattern: "PORT", context: 3 }, found: 1 },
    { name: "guesses", input: { pattern: "PASSWORD=h" }, found: 0 },
    { name: "guesses that are counted", input: { pattern: "PASSWORD=h", mode: "total" }, found: 0 },
    { name: "guesses across lines", input: { pattern: "PASSWORD=h.*\\n", multiline: true }, found: 0 },
  ])("$name", async ({ input, found }) => {
    for (const ripgrep of [undefined, async () => null]) {
      const caller = callerOn(scratch({ ".env": ENV }), { ripgrep });
      const answer = await caller("grep", { include_hidden: true, ...input });
      expect(answer.data["total_matches"]).toBe(found);
      expectNoValues(answer);
    }
  });

  const TREE = {
    ".env": ENV,
    "notes.txt": `the key is ${KEY}, not ${KEY}X\nhunter2 is a film\n`,
    "app/wide.env": Buffer.from(`\ufeff${ENV}`, "utf16le"),
    "other.txt": "nothing\n",
  };

  it.each([
    {
      name: "where it is shown, and where its value stands in other files",
      input: { pattern: "‹secret:AWS_KEY#1›" },
      found: [".env:3", "app/wide.env:3", "notes.txt:1"],
    },
    { name: "in one file", input: { pattern: "‹secret:AWS_KEY#1›", path: ".env" }, found: [".env:3"] },
    {
      name: "literally",
      input: { pattern: "=‹secret:AWS_KEY#1›", literal: true },
      found: [".env:3", "app/wide.env:3"],
    },
    {
      name: "among others",
      input: { pattern: "^(PORT|.*‹secret:AWS_KEY#1›, not)" },
      found: [".env:1", "app/wide.env:1", "notes.txt:1"],
    },
    {
      name: "of a short value only where it is shown: elsewhere that may be any word",
      input: { pattern: "‹secret:DB_PASSWORD#1›" },
      found: [".env:2", "app/wide.env:2"],
    },
    {
      name: "of any secret",
      input: { pattern: "‹secret:\\w+#\\d+›", mode: "files" },
      found: [".env", "app/wide.env", "notes.txt"],
    },
    { name: "that stands for nothing", input: { pattern: "‹secret:AWS_KEY#9›" }, found: [] },
  ])("finds a placeholder $name", async ({ input, found }) => {
    for (const ripgrep of [undefined, async () => null]) {
      const caller = callerOn(scratch(TREE), { ripgrep });
      await caller("read", { path: ".env" });
      const answer = await caller("grep", { include_hidden: true, ...input });
      const files = answer.data["files"] as { path: string; matches?: { line: number }[] }[];
      const places = files.flatMap(({ path, matches }) => matches?.map(({ line }) => `${path}:${line}`) ?? path);
      expect(places.toSorted()).toEqual(found);
      for (const value of [KEY, "t0ps3cr3t-value", "DB_PASSWORD=hunter2"]) expect(allOf(answer)).not.toContain(value);
    }
  });

  it.each([
    "[‹secret:AWS_KEY#1›]",
    "[^‹secret:AWS_KEY#1›]",
    "[)-‹secret:AWS_KEY#1›]",
    "[[:punct:]‹secret:AWS_KEY#1›]",
    "[:a:]?[]‹secret:AWS_KEY#1›]",
    String.raw`(?:\Q[\E)?[]‹secret:AWS_KEY#1›]`,
    String.raw`[\]‹secret:AWS_KEY#1›]`,
  ])("tells nothing of a value by the single characters of a class: %s", async (pattern) => {
    const answer = async (value: string) => {
      const letters = String.raw`!()+-./0189:=?@ABKMXZ[\]_abkmxz`.split("").join("\n");
      const caller = callerOn(scratch({ ".env": `AWS_KEY=${value}\n`, "letters.txt": letters }));
      await caller("read", { path: ".env" });
      return caller("grep", { pattern, path: "letters.txt" });
    };
    const [one, other] = [await answer("AKIA+0ABK/mxz1Q8.M9"), await answer("wJalr8XUtnFEMI=K7MDE")];
    expect(one).toEqual(other);
    expect(allOf(one)).not.toMatch(/AKIA|0ABK/);
  });

  it("tells no other program what a placeholder stands for", async () => {
    const root = scratch(TREE);
    const asked: string[] = [];
    const caller = callerOn(root, { ripgrep: async () => (asked.push("ripgrep"), null) });
    await caller("read", { path: ".env" });
    await caller("grep", { pattern: "‹secret:AWS_KEY#1›" });
    expect(asked).toEqual([]);
    await caller("grep", { pattern: "key" });
    expect(asked).toEqual(["ripgrep"]);
  });
});

describe("changing", () => {
  it.each([
    {
      name: "edit",
      tool: "edit",
      input: {
        path: ".env",
        edits: [{ oldText: 'API_TOKEN="‹secret:API_TOKEN#1›"', newText: "OTHER='‹secret:API_TOKEN#1›'" }],
      },
      expected: ENV.replace('API_TOKEN="t0ps3cr3t-value"', "OTHER='t0ps3cr3t-value'"),
    },
    {
      name: "write",
      tool: "write",
      input: { path: ".env", content: `${MASKED}MORE=1\n`, overwrite: true },
      expected: `${ENV}MORE=1\n`,
    },
    {
      name: "apply_patch",
      tool: "apply_patch",
      input: {
        input:
          "*** Begin Patch\n*** Update File: .env\n@@\n PORT=3000\n-DB_PASSWORD=‹secret:DB_PASSWORD#1›\n+DB_PASS=‹secret:DB_PASSWORD#1›\n*** End Patch",
      },
      expected: ENV.replace("DB_PASSWORD", "DB_PASS"),
    },
  ])("$name by placeholder is exact to the byte, and its diff shows no value", async ({ tool, input, expected }) => {
    const root = scratch({ ".env": ENV });
    const caller = callerOn(root);
    await caller("read", { path: ".env" });
    const answer = await caller(tool, input);
    expect(answer.code).toBe("ok");
    expect(readFileSync(join(root, ".env"), "utf8")).toBe(expected);
    expectNoValues(answer);
    expectNoValues(await caller("history", {}));
    expectNoValues(await caller("undo", {}));
    expect(readFileSync(join(root, ".env"), "utf8")).toBe(ENV);
  });

  it("refuses a placeholder that it does not know, and changes nothing", async () => {
    const root = scratch({ ".env": ENV });
    const answer = await callerOn(root)("write", { path: ".env", content: "A=‹secret:A#9›\n", overwrite: true });
    expect(answer).toMatchObject({ code: "invalid_input" });
    expect(answer.data).not.toHaveProperty("masked_secrets");
    expect(answer.text).not.toContain("[Secrets are shown");
    expect(readFileSync(join(root, ".env"), "utf8")).toBe(ENV);
  });

  it("does not show in a fault what an edit did not find", async () => {
    const caller = callerOn(scratch({ ".env": ENV }));
    const answer = await caller("edit", {
      path: ".env",
      edits: [{ oldText: "DB_PASSWORT=hunter\nAWS_ID=x", newText: "" }],
    });
    expect(answer.isError).toBe(true);
    expectNoValues({ ...answer, text: answer.text.replaceAll("DB_PASSWORT=hunter\n", "") });
  });

  it("covers what secrets were written to, in pieces as well", async () => {
    const root = scratch({ ".env": ENV });
    const caller = callerOn(root);
    await caller("read", { path: ".env" });
    await caller("write", { path: "plain.txt", content: "x ‹secret:API_TOKEN#1› y" });
    expect(readFileSync(join(root, "plain.txt"), "utf8")).toBe("x t0ps3cr3t-value y");
    const part = await caller("read", { path: "plain.txt", unit: "bytes", offset: 4, limit: 8 });
    expect(part.data["content"]).not.toContain("ps3cr3");
  });

  it("asks for what was written by placeholder without telling the value, and performs it with the value", async () => {
    const root = scratch({ ".env": ENV });
    const asked: string[] = [];
    const caller = callerOn(root, {
      ruleSource: {
        layers: [{ name: "user", rules: [{ act: ["write", "delete"], decide: "approval", origin: "test" }] }],
      },
      approver: async (request) => {
        asked.push(JSON.stringify(request));
        return { decision: "once" };
      },
    });
    await caller("read", { path: ".env" });
    const edits = [{ oldText: "DB_PASSWORD=‹secret:DB_PASSWORD#1›", newText: "DB_PASS=‹secret:DB_PASSWORD#1›" }];
    expect((await caller("edit", { path: ".env", edits })).code).toBe("ok");
    expect(readFileSync(join(root, ".env"), "utf8")).toBe(ENV.replace("DB_PASSWORD", "DB_PASS"));
    expect((await caller("delete", { path: ".env" })).code).toBe("ok");
    expect(asked.length).toBe(2);
    for (const value of VALUES) expect(asked.join("")).not.toContain(value);
  });

  it.each([
    { tool: "move", destination: "plain.txt", code: "denied" },
    { tool: "copy", destination: "plain.txt", code: "denied" },
    { tool: "copy", destination: ".env.backup", code: "ok" },
  ])("$tool to $destination: $code", async ({ tool, destination, code }) => {
    const caller = callerOn(scratch({ ".env": ENV }), { approver: nobody });
    expect((await caller(tool, { source: ".env", destination })).code).toBe(code);
  });

  it("never makes a value the name of a file", async () => {
    const root = scratch({ ".env": ENV });
    const caller = callerOn(root);
    await caller("read", { path: ".env" });
    await caller("write", { path: "‹secret:API_TOKEN#1›", content: "" });
    expect(readdirSync(root)).not.toContain("t0ps3cr3t-value");
  });
});

describe("what else is told", () => {
  it("writes no value into the audit log", async () => {
    const root = scratch({ ".env": ENV });
    const app = appOn(root);
    const caller = callerOf(app);
    await caller("read", { path: ".env" });
    await caller("write", { path: "b.txt", content: `it is ${KEY}` });
    await app.close();
    const state = stateBeside(root);
    const logs = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((name) => /audit-[^/]*$/.test(name));
    const written = logs.map((name) => readFileSync(join(state, name), "utf8")).join("");
    expect(written).toContain("it is ‹secret:AWS_KEY#1›");
    expect(written).not.toContain(KEY);
  });

  it.each([
    { secrets: "on", code: "ok" },
    { secrets: "off", code: "denied" },
  ] as const)("asks a team for settings only while they are shown as they are: $secrets", async ({ secrets, code }) => {
    const options: Partial<Options> = {
      secrets,
      approver: nobody,
      ruleSource: { layers: [{ name: "user", rules: [], template: { name: "team", origin: "test" } }] },
    };
    expect((await callerOn(scratch({ ".env": ENV }), options)("read", { path: ".env" })).code).toBe(code);
  });
});
