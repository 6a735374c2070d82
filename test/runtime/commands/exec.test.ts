import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Options } from "../../../src/app/options.ts";
import { needs } from "../../programs.ts";
import { callerOn, scratch, type Tree } from "../scratch.ts";

const ALL: Partial<Options> = { exec: { security: "full" } };

function workspace(tree: Tree, options: Partial<Options> = {}) {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = scratch(tree);
  return {
    root,
    call: callerOn(root, { ...ALL, ...options }),
    read: (name: string) => readFileSync(join(root, name), "utf8"),
  };
}

describe("a command", () => {
  it("prints, exits and changes nothing it was not asked to", async () => {
    const { call } = workspace({ "a.txt": "one\n" });
    const { isError, data } = await call("exec", { command: "cat a.txt; exit 3" });
    expect([isError, data]).toEqual([
      false,
      expect.objectContaining({ output: "one\n", exit_code: 3, status: "done", undo: "overlay", changes: [] }),
    ]);
  });

  it.each([{}, { pty: true }, { detach: true }])(
    "with a NUL is refused: a shell would run it without (%o)",
    async (how) => {
      const { root, call } = workspace({ "a.txt": "one\n" });
      const { data } = await call("exec", { command: "to\0uch b", ...how });
      expect(data["error"]).toMatchObject({ code: "invalid_input", argument: "command" });
      expect(existsSync(join(root, "b"))).toBe(false);
    },
  );

  it("is taken back as a whole", async () => {
    const { root, call, read } = workspace({ "a.txt": "one\n", "b.txt": "two\n", "src/x/y.ts": "y\n" });
    const { data } = await call("exec", {
      command: "echo 2 >> a.txt; rm -r src b.txt; mkdir -p new/d; echo n > new/d/n; chmod 700 a.txt",
    });
    expect(data).toMatchObject({ applied: true, change_id: expect.any(String) });
    expect([read("a.txt"), existsSync(join(root, "src")), read("new/d/n")]).toEqual(["one\n2\n", false, "n\n"]);
    await call("undo");
    expect([read("a.txt"), read("b.txt"), read("src/x/y.ts"), existsSync(join(root, "new"))]).toEqual([
      "one\n",
      "two\n",
      "y\n",
      false,
    ]);
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o644);
  });

  it("shows how it changed texts that the caller may read, and not what it made", async () => {
    const { call } = workspace({ "a.txt": "one\ntwo\n", "b.bin": "\0", ".git/ORIG_HEAD": "1\n" });
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const command = `echo three >> a.txt; echo ${secret} >> a.txt; echo x > new; echo 2 > .git/ORIG_HEAD; echo > b.bin`;
    const { data, text } = await call("exec", { command });
    expect(data["diff"]).toMatch(/^--- a\/a.txt\n\+\+\+ b\/a.txt\n@@ .* @@\n one\n two\n\+three\n\+.+\n$/);
    expect(text).toContain("\n+three\n");
    expect(JSON.stringify([data["diff"], text])).not.toContain(secret);
  });

  it("that changes thousands of files is answered in few words, and so is its undo", async () => {
    const { call, read } = workspace({ "d/f1": "old\n" });
    const made = await call("exec", { command: "for i in {1..500}; do echo new >d/f$i; echo x >e$i; done" });
    expect(made.data["changes"]).toEqual([
      "changed d/f1 (+1 −1)",
      "created 499 entries in d",
      "created 500 entries in .",
    ]);
    expect(made.text).toContain("1000 changes, folded by directory; history lists each");
    const undone = await call("undo");
    expect([made.text.length, undone.text.length].every((length) => length < 2000)).toBe(true);
    expect([(undone.data["files"] as unknown[]).length, read("d/f1")]).toEqual([100, "old\n"]);
  });

  it("that is only tried changes nothing", async () => {
    const { call, read } = workspace({ "a.txt": "one\n" });
    const { data } = await call("exec", { command: "echo 2 > a.txt", dry_run: true });
    expect([data["applied"], data["changes"], read("a.txt")]).toEqual([false, ["changed a.txt (+1 −1)"], "one\n"]);
  });

  it("works in the directory that it names, and in no other", async () => {
    const { call } = workspace({ "d/a": "" });
    expect((await call("exec", { command: "ls", workdir: "d" })).data["output"]).toBe("a\n");
    expect((await call("exec", { command: "ls", workdir: "/etc" })).code).toBe("outside_workspace");
    expect((await call("exec", { command: "ls", workdir: "d/a" })).code).toBe("not_a_directory");
  });

  it("sees nothing of the state and cannot write elsewhere", async () => {
    const { root, call } = workspace({ "a.txt": "" });
    const { data } = await call("exec", {
      command: `ls ${root}/../state; echo x > /etc/x; echo x > ${root}/../x`,
    });
    expect(data["output"]).not.toContain("changes");
    expect([existsSync("/etc/x"), existsSync(join(root, "../x"))]).toEqual([false, false]);
  });

  it("is ended when its time is over, with all that it started", async () => {
    const { call } = workspace({});
    const { data } = await call("exec", {
      command: "(setsid sleep 987654 &) ; sleep 60",
      timeout: 1,
      yield_ms: 20_000,
    });
    expect(data).toMatchObject({
      stopped: "timeout",
      notes: expect.arrayContaining([expect.stringContaining("raised")]),
    });
  }, 30_000);
});

describe("what a command changed", () => {
  it("is not applied where a rule forbids it, and says so", async () => {
    const rules = {
      name: "user" as const,
      rules: [{ act: "write" as const, path: "keep/**", decide: "blocked" as const, origin: "test" }],
    };
    const { call, read } = workspace({ "keep/a": "1", b: "1" }, { ruleSource: { layers: [rules] } });
    expect((await call("exec", { command: "echo 2 > keep/a" })).code).toBe("denied");
    const { isError, data, text } = await call("exec", { command: "eval 'echo 2 > keep/a'; echo 2 > b" });
    expect([isError, data["applied"], read("keep/a"), read("b")]).toEqual([false, false, "1", "1"]);
    expect(text).toContain("Not applied (denied)");
    expect((await call("process", { action: "discard", process_id: data["process_id"] })).isError).toBe(false);
    expect((await call("process", { action: "apply", process_id: data["process_id"] })).code).toBe("not_found");
  });

  it("is merged with what others changed in the same file meanwhile", async () => {
    const { root, call, read } = workspace({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n" });
    await call("exec", { command: "cat a.txt" });
    const running = call("exec", { command: "sleep 1; sed -i s/7/seven/ a.txt" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await call("edit", { path: "a.txt", oldText: "1\n", newText: "one\n" });
    expect((await running).data["applied"]).toBe(true);
    expect(read("a.txt")).toBe("one\n2\n3\n4\n5\n6\nseven\n");
    expect(existsSync(root)).toBe(true);
  });

  it("waits where others changed the same file, until it is applied or discarded", async () => {
    const { root, call, read } = workspace({ "a.bin": Buffer.from([0, 1, 2]) });
    await call("exec", { command: "true" });
    const running = call("exec", { command: "sleep 1; printf x > a.bin" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    writeFileSync(join(root, "a.bin"), Buffer.from([0, 9, 9]));
    const { data, text } = await running;
    expect([data["applied"], text]).toEqual([false, expect.stringContaining("Not applied (conflict)")]);
    expect(read("a.bin")).toBe("\0\t\t");
    const waiting = { process_id: data["process_id"] };
    await call("process", { action: "clear" });
    expect((await call("process", { action: "apply", ...waiting })).code).toBe("conflict");
    await call("process", { action: "discard", ...waiting });
    await call("process", { action: "clear" });
    expect((await call("process", { action: "status", ...waiting })).code).toBe("not_found");
  });
});

describe("a command in the background", () => {
  it("is polled, fed, and ended", async () => {
    const { call } = workspace({});
    const { data } = await call("exec", { command: "while read line; do echo got $line; done", background: true });
    const id = data["process_id"];
    expect(data["status"]).toBe("running");
    await call("process", { action: "write", process_id: id, input: "one\n" });
    expect((await call("process", { action: "poll", process_id: id, timeout: 5000 })).data["output"]).toBe("got one\n");
    expect((await call("process", { action: "kill", process_id: id })).data["status"]).toBe("done");
    expect((await call("process", { action: "list" })).data["processes"]).toHaveLength(1);
    await call("process", { action: "remove", process_id: id });
    expect((await call("process", { action: "status", process_id: id })).code).toBe("not_found");
  }, 30_000);

  it("that outlived its wait is applied by the poll that sees its end", async () => {
    const { call, read } = workspace({ "a.txt": "one\n" });
    const { data } = await call("exec", { command: "sleep 1; echo two > a.txt", yield_ms: 100 });
    expect([data["status"], read("a.txt")]).toEqual(["running", "one\n"]);
    const polled = await call("process", { action: "poll", process_id: data["process_id"], timeout: 10_000 });
    expect([polled.data["status"], polled.data["applied"], read("a.txt")]).toEqual(["done", true, "two\n"]);
  }, 30_000);
});

it("the first poll of a command that outlived its wait begins behind what its answer showed", async () => {
  const { call } = workspace({});
  let { data } = await call("exec", { command: "echo one; sleep 2; echo two", yield_ms: 1000 });
  let shown = String(data["output"]);
  while (data["status"] === "running") {
    ({ data } = await call("process", { action: "poll", process_id: data["process_id"], timeout: 20_000 }));
    shown += String(data["output"]);
  }
  expect(shown).toBe("one\ntwo\n");
}, 30_000);

describe("what is refused", () => {
  it.each([
    { name: "another machine", input: { host: "node" }, code: "invalid_input" },
    { name: "a variable that chooses code", input: { env: { LD_PRELOAD: "x" } }, code: "invalid_input" },
    { name: "no sandbox without the gate", input: { elevated: true }, code: "denied" },
    { name: "a server in the foreground", input: { command: "npm run dev" }, code: "invalid_input" },
    { name: "a Python script with shell syntax", input: { command: "python3 x.py" }, code: "invalid_input" },
    { name: "less than the session allows", input: { security: "deny" }, code: "denied" },
  ])("$name", async ({ input, code }) => {
    const { call } = workspace({ "x.py": "print($HOME_DIR)\n" });
    expect((await call("exec", { command: "true", ...input })).code).toBe(code);
  });

  it("an unknown id", async () => {
    const { call } = workspace({});
    expect((await call("process", { action: "poll", process_id: "nope" })).code).toBe("not_found");
  });
});
