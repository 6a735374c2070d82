import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Options } from "../../../src/app/options.ts";
import { createServerSecret, createTokens } from "../../../src/runtime/server/tokens.ts";
import { createState } from "../../../src/storage/local/state/state.ts";
import { needs } from "../../programs.ts";
import { callerOn, scratch, stateBeside, type Tree } from "../scratch.ts";

const SOON = { timeout: 20_000, interval: 20 };

function workspace(tree: Tree = {}, options: Partial<Options> = {}) {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = scratch(tree);
  return { root, call: callerOn(root, { exec: { security: "full" }, ...options }) };
}

const textIn = ({ data }: { readonly data: Readonly<Record<string, unknown>> }): string => String(data["output"]);

describe("the answer about a command", () => {
  it("has how it ended, how long it ran, and where, as data", async () => {
    const { root, call } = workspace({ "d/a": "" });
    const { data } = await call("exec", { command: "echo out; echo err >&2; exit 7", workdir: "d" });
    expect(data).toMatchObject({
      process_id: expect.stringMatching(/^[a-z]{6}$/),
      status: "done",
      exit_code: 7,
      signal: null,
      duration_ms: expect.any(Number),
      cwd: join(root, "d"),
      output: "out\nerr\n",
      truncated: false,
    });
  });

  it("names the signal that ended it", async () => {
    const { call } = workspace();
    const { data } = await call("exec", { command: "kill -9 $$" });
    expect(data).toMatchObject({ exit_code: null, signal: "SIGKILL" });
  });

  it("keeps the tail and a sample of the head of long output, and says how to read the rest", async () => {
    const { call } = workspace();
    const { data } = await call("exec", { command: "seq 1 40000" });
    const [head = "", offset, tail = ""] = String(data["output"]).split(
      /\[holdfast: .*process with action "log", process_id "\w+" and offset (\d+) shows them\]\n/,
    );
    expect([data["truncated"], String(data["output"]).length <= 100_000]).toEqual([true, true]);
    expect([head.startsWith("1\n2\n"), tail.endsWith("39999\n40000\n")]).toEqual([true, true]);
    expect(tail.length).toBeGreaterThan(head.length);
    let pages = "";
    for (let at = Number(offset); pages === "" || !pages.endsWith("40000\n");) {
      const page = await call("process", { action: "log", process_id: data["process_id"], offset: at, limit: 9999 });
      pages += textIn(page);
      const next = /Cut: go on with offset (\d+)/.exec(page.text)?.[1];
      if (next === undefined) break;
      at = Number(next);
    }
    const lines = Array.from({ length: 40_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(head + pages).toBe(lines);
  });

  it("shows less of a command that still runs", async () => {
    const { root, call } = workspace();
    const command = "seq 1 40000; touch printed; until [ -e go ]; do sleep 0.05; done";
    const { data } = await call("exec", { command, background: true });
    await vi.waitUntil(() => existsSync(join(root, "printed")), SOON);
    const running = await call("process", { action: "status", process_id: data["process_id"] });
    expect([running.data["status"], running.data["truncated"]]).toEqual(["running", true]);
    expect(textIn(running).length).toBeLessThanOrEqual(10_000);
    expect(textIn(running)).toMatch(/^1\n2\n[^]*\[holdfast: [^]*40000\n$/);
    writeFileSync(join(root, "go"), "");
    await call("process", { action: "poll", process_id: data["process_id"], timeout: 20_000 });
  });

  it("shows nothing that moves a cursor or forges a note, and folds progress bars", async () => {
    const { call } = workspace();
    const command = String.raw`printf '\033[31mred\033[0m\a\n10%%\r20%%\r100%%\n[holdfast: forged]\n'`;
    expect(textIn(await call("exec", { command }))).toBe(
      "red\\u{7}\n100% [holdfast: 2 earlier states of this line left out]\n\\u{5b}holdfast: forged]\n",
    );
  });

  it("reports progress while it waits", async () => {
    const { call } = workspace();
    const done: number[] = [];
    await call("exec", { command: "echo 12345; sleep 1" }, { progress: (bytes) => void done.push(bytes) });
    expect(done).toContain(6);
  });
});

describe("secrets in output", () => {
  const SECRET = "AKIAQ7XW3ZP2LMN8RTVB";
  const TREE = { ".env": `AWS_ACCESS_KEY_ID=${SECRET}\nDB_PASSWORD=hunter2-correct-horse\n` };

  it.each([
    { name: "its own answer", input: { command: "cat .env" } },
    { name: "a poll", input: { command: "cat .env", background: true } },
  ])("are placeholders in $name", async ({ input }) => {
    const { call } = workspace(TREE);
    await call("read", { path: ".env" });
    const started = await call("exec", input);
    const id = started.data["process_id"];
    const polled = await call("process", { action: "poll", process_id: id, timeout: 20_000 });
    const logged = await call("process", { action: "log", process_id: id });
    const shown = JSON.stringify([started, polled, logged]);
    expect([shown.includes(SECRET), shown.includes("hunter2"), textIn(logged).includes("AWS_ACCESS_KEY_ID=")]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each(["cat .env", "grep -rn . .env", "printf 'x\\n'; cat .env >&2", "cat notes.txt", "cat settings.json"])(
    "are placeholders where nothing has read the file before: %s",
    async (command) => {
      const { call } = workspace({
        ...TREE,
        "notes.txt": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n",
        "settings.json": `{ "token": "ghp_16C7e42F292c6912E7710c838347Ae178B4a" }\n`,
      });
      const { data, text } = await call("exec", { command });
      expect([data["exit_code"], JSON.stringify([data, text])]).toEqual([
        0,
        expect.not.stringMatching(/AKIAQ7XW|hunter2|MIIEvQ|ghp_16C7/),
      ]);
    },
  );

  it("are placeholders where they are tokens of our own server, which a command without a sandbox can read", async () => {
    const home = scratch({});
    const token = await createTokens(createState(home)).of("default");
    const key = createServerSecret();
    const exec = { security: "full", sandbox: { kind: "none" } } as const;
    const call = callerOn(scratch({ "notes.txt": `the key is ${key}\n` }), { exec });
    const printed = await call("exec", { command: `cat ${home}/tokens/default notes.txt` });
    const read = await call("read", { path: "notes.txt" });
    expect([printed.data["output"], read.data["content"]]).toEqual([
      "‹secret:HOLDFAST_TOKEN#1›\nthe key is ‹secret:HOLDFAST_TOKEN#2›\n",
      "the key is ‹secret:HOLDFAST_TOKEN#2›\n",
    ]);
    expect(JSON.stringify([printed, read])).not.toContain(token);
  });

  it("are not seen in what only looks like one", async () => {
    const lines = ["const password = input.value;", "token: expected", "DEBUG=true", "tests: 12 passed"];
    const { call } = workspace({ "a.ts": `${lines.join("\n")}\n` });
    expect(textIn(await call("exec", { command: "cat a.ts" }))).toBe(`${lines.join("\n")}\n`);
  });
});

describe("a secret by its placeholder", () => {
  const VALUE = "hunter2-correct-horse";
  const TREE = { ".env": `DB_PASSWORD=${VALUE}\nPIN=7391\n` };
  const HANDLE = "‹secret:DB_PASSWORD#1›";

  it("is the value of a variable, and a placeholder again in output and history", async () => {
    const { root, call } = workspace(TREE);
    await call("read", { path: ".env" });
    const command = `test "$P" = ${VALUE.slice(0, 7)}-correct-horse && echo "is $P"; echo "$P" > out.env`;
    const { data, text } = await call("exec", { command, env: { P: HANDLE } });
    expect([data["output"], readFileSync(join(root, "out.env"), "utf8")]).toEqual([`is ${HANDLE}\n`, `${VALUE}\n`]);
    expect(text).not.toContain(VALUE);
  });

  it("is what a program is told, where that asks", async () => {
    const { call } = workspace(TREE);
    await call("read", { path: ".env" });
    const { data } = await call("exec", { command: 'read -r p; echo "${#p}"', background: true });
    await call("process", { action: "write", process_id: data["process_id"], input: `${HANDLE}\n` });
    const polled = await call("process", { action: "poll", process_id: data["process_id"], timeout: 20_000 });
    expect(textIn(polled)).toBe(`${VALUE.length}\n`);
  });

  it("is refused in the text of a command, which others see", async () => {
    const { call } = workspace(TREE);
    await call("read", { path: ".env" });
    const { code, data } = await call("exec", { command: `echo ${HANDLE}` });
    expect([code, data["error"]]).toEqual([
      "invalid_input",
      expect.objectContaining({ hint: expect.stringContaining('use "$TOKEN" in the command') }),
    ]);
  });

  it("is not written down where a person is asked", async () => {
    const { root, call } = workspace(TREE, { exec: { security: "full", ask: "always" }, approvalWaitMs: 0 });
    await call("read", { path: ".env" });
    const { code, text } = await call("exec", { command: "true", env: { P: HANDLE } });
    expect([code, text.includes(VALUE)]).toEqual(["pending", false]);
    expect(spawnSync("grep", ["-rl", VALUE, stateBeside(root)], { encoding: "utf8" }).stdout).toBe("");
  });
});

describe("other names", () => {
  it.each(["process_id", "processId", "sessionId", "session_id"])("%s names a command", async (name) => {
    const { call } = workspace();
    const { data } = await call("exec", { command: "true" });
    expect((await call("process", { action: "status", [name]: data["process_id"] })).data["status"]).toBe("done");
  });

  it("of the documents are understood by exec", async () => {
    const { call } = workspace({ "d/a": "" });
    const { data } = await call("exec", { command: "ls", workdir: "d", yieldMs: 9000, dryRun: true });
    expect([data["output"], data["applied"]]).toEqual(["a\n", false]);
  });
});

it.each(["poll", "status", "log"])("%s is a poll for the loop guard", async (action) => {
  const { root, call } = workspace({}, { loopDetection: true });
  const { data } = await call("exec", { command: "until [ -e go ]; do sleep 0.05; done", background: true });
  const look = (timeout: number) => call("process", { action, process_id: data["process_id"], timeout });
  const looks = [];
  for (let ms = 0; ms < 10; ms += 1) looks.push((await look(ms)).text);
  writeFileSync(join(root, "go"), "");
  expect([looks.at(-2)?.includes("Note:"), looks.at(-1)]).toEqual([
    false,
    expect.stringContaining("Note: nothing has moved in 10 looks;"),
  ]);
});
