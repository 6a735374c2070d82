import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApp } from "../../src/app/app.ts";
import type { Options } from "../../src/app/options.ts";
import { needs } from "../programs.ts";
import { callerOf, callerOn, scratch, stateBeside } from "../runtime/scratch.ts";

const TSC = [resolve("node_modules/.bin/tsc"), "--lsp", "--stdio"] as const;

/** Is far more than a server needs, on a machine that does other things as well. */
const PATIENT_MS = 30_000;

const typescript: Partial<Options> = {
  // A checkout may be in /tmp, which is empty in a sandbox.
  diagnostics: { servers: [{ command: [...TSC], files: ["*.ts"] }], budgetMs: PATIENT_MS, sandbox: "none" },
};
const python: Partial<Options> = {
  diagnostics: { servers: [{ command: ["pylsp"], files: ["**/*.py"] }], budgetMs: PATIENT_MS },
};

const TSCONFIG = JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } });

const typeError = (path: string, line: number, column: number) => ({
  path,
  line,
  column,
  message: "Type 'string' is not assignable to type 'number'.",
  source: "ts",
  code: "2322",
});

describe("diagnostics of TypeScript's own server", () => {
  it("reports a new error, and not an old one", async () => {
    const root = scratch({
      "tsconfig.json": TSCONFIG,
      "src/a.ts": 'const old: number = "old";\nexport const b = 1;\n',
    });
    const caller = callerOn(root, typescript);
    const { text, data } = await caller("edit", {
      path: "src/a.ts",
      edits: [{ oldText: "export const b = 1;", newText: '\nexport const b: number = "new";' }],
    });
    expect(data["diagnostics"]).toEqual([typeError("src/a.ts", 3, 14)]);
    expect(text).toMatch(
      /\nNew errors after this change:\nsrc\/a\.ts:3:14: Type 'string' is not assignable to type 'number'\. \(ts 2322\)$/,
    );
  });

  it("reports nothing for errors that were fixed, moved or kept", async () => {
    const root = scratch({ "tsconfig.json": TSCONFIG, "a.ts": 'const a: number = "a";\nconst b: number = "b";\n' });
    const caller = callerOn(root, typescript);
    const edits = [
      { oldText: 'const a: number = "a";', newText: "const a = 1;\n" },
      { oldText: '"b"', newText: '"kept"' },
    ];
    const { data, text } = await caller("edit", { path: "a.ts", edits });
    expect([data["diagnostics"], data["notes"], text.includes("New errors")]).toEqual([[], undefined, false]);
  });

  it("reports every error of a new file, by write and by apply_patch", async () => {
    const root = scratch({ "tsconfig.json": TSCONFIG });
    const caller = callerOn(root, typescript);
    const written = await caller("write", { path: "a.ts", content: 'export const a: number = "a";\n' });
    expect(written.data["diagnostics"]).toEqual([typeError("a.ts", 1, 14)]);
    const patch = '*** Begin Patch\n*** Add File: b.ts\n+export const b: number = "b";\n*** End Patch\n';
    const patched = await caller("apply_patch", { input: patch });
    expect(patched.data["diagnostics"]).toEqual([typeError("b.ts", 1, 14)]);
  });

  it("reports an error that an edit brings to another file, once that was edited", async () => {
    const root = scratch({
      "tsconfig.json": TSCONFIG,
      "a.ts": "export const a = 1;\n",
      "b.ts": 'import { a } from "./a.js";\nexport const c = a;\n',
    });
    const caller = callerOn(root, typescript);
    const used = await caller("edit", {
      path: "b.ts",
      edits: [{ oldText: "export const c = a;", newText: "export const c: number = a;" }],
    });
    expect(used.data["diagnostics"]).toEqual([]);
    const { data } = await caller("edit", { path: "a.ts", edits: [{ oldText: "1", newText: '"one"' }] });
    expect(data["diagnostics"]).toEqual([typeError("b.ts", 2, 14)]);
  });

  it("knows what undo and others changed meanwhile", async () => {
    const root = scratch({ "tsconfig.json": TSCONFIG, "a.ts": "export const a: number = 1;\n" });
    const caller = callerOn(root, typescript);
    const broken = { path: "a.ts", edits: [{ oldText: "1", newText: '"one"' }] };
    expect((await caller("edit", broken)).data["diagnostics"]).toEqual([typeError("a.ts", 1, 14)]);
    expect((await caller("undo")).code).toBe("ok");
    expect((await caller("edit", broken)).data["diagnostics"]).toEqual([typeError("a.ts", 1, 14)]);
    writeFileSync(join(root, "a.ts"), 'export const a: number = "foreign";\n');
    const kept = await caller("edit", { path: "a.ts", edits: [{ oldText: "foreign", newText: "kept" }] });
    expect(kept.data["diagnostics"]).toEqual([]);
  });

  it("asks a server for each root, and leaves no process behind", async () => {
    const roots = [1, 2].map(() => scratch({ "tsconfig.json": TSCONFIG, "a.ts": "export const a: number = 1;\n" }));
    const app = createApp({ roots, stateDirectory: stateBeside(roots[0] as string), ...typescript });
    onTestFinished(() => app.close());
    const before = runningServers();
    for (const root of roots) {
      const path = join(root, "a.ts");
      const { data } = await callerOf(app)("edit", { path, edits: [{ oldText: "1", newText: '"one"' }] });
      expect(data["diagnostics"]).toEqual([typeError(path, 1, 14)]);
    }
    expect(runningServers().length).toBeGreaterThanOrEqual(before.length + 2);
    await app.close();
    await expect.poll(() => runningServers().filter((pid) => !before.includes(pid)), { timeout: 10_000 }).toEqual([]);
  });

  it("asks nobody about other files, dry runs and other tools", async () => {
    const root = scratch({ "tsconfig.json": TSCONFIG, "a.ts": "export const a: number = 1;\n" });
    const caller = callerOn(root, typescript);
    const calls = [
      await caller("write", { path: "a.py", content: "x = y\n" }),
      await caller("edit", { path: "a.ts", edits: [{ oldText: "1", newText: '"one"' }], dry_run: true }),
      await caller("move", { source: "a.ts", destination: "b.ts" }),
    ];
    expect(calls.map(({ code, data }) => [code, "diagnostics" in data, "notes" in data])).toEqual(
      calls.map(() => ["ok", false, false]),
    );
  });

  it("reports no errors of a file that the caller may not read", async () => {
    const root = scratch({ "tsconfig.json": TSCONFIG });
    const rules = [{ act: "read" as const, path: "b.ts", decide: "approval" as const, origin: "here" }];
    const caller = callerOn(root, { ...typescript, ruleSource: { layers: [{ name: "user", rules }] } });
    const { code, data } = await caller("write", { path: "b.ts", content: 'export const b: 1 = "secret";\n' });
    expect([code, data["diagnostics"]]).toEqual(["ok", []]);
  });
});

describe("diagnostics of pylsp", () => {
  it("reports a new error, and neither an old one nor a warning", async () => {
    needs("pylsp");
    const root = scratch({ "lib/a.py": "x = 1\nprint(old)\n" });
    const caller = callerOn(root, python);
    const { data } = await caller("edit", {
      path: "lib/a.py",
      edits: [{ oldText: "x = 1", newText: "import os\n\nx = fresh" }],
    });
    expect(data["diagnostics"]).toEqual([
      { path: "lib/a.py", line: 3, column: 5, message: "undefined name 'fresh'", source: "pyflakes" },
    ]);
    const fixed = await caller("edit", { path: "lib/a.py", edits: [{ oldText: "fresh", newText: "1" }] });
    expect(fixed.data["diagnostics"]).toEqual([]);
    const again = await caller("edit", { path: "lib/a.py", edits: [{ oldText: "x = 1", newText: "x = later" }] });
    expect(again.data["diagnostics"]).toMatchObject([{ line: 3, message: "undefined name 'later'" }]);
  });
});

/** Says what a server finds in the sandbox of this machine, as errors of the file that was changed. */
const CURIOUS = `
import json, os, socket, sys

def send(message):
    text = json.dumps({"jsonrpc": "2.0", **message})
    sys.stdout.write(f"Content-Length: {len(text)}\\r\\n\\r\\n{text}")
    sys.stdout.flush()

def attempt(name, act):
    try:
        act()
        return f"{name}: yes"
    except Exception:
        return f"{name}: no"

def findings(root):
    return [
        attempt("read", lambda: open(root + "/a.x").read()),
        attempt("write", lambda: open(root + "/evil", "w")),
        attempt("read what is closed", lambda: open(root + "/closed.key").read()),
        attempt("state", lambda: os.listdir(os.path.dirname(root) + "/state/changes")),
        attempt("network", lambda: socket.create_connection((sys.argv[1], int(sys.argv[2])), 2)),
    ]

while True:
    length = int(sys.stdin.readline().split(":")[1])
    sys.stdin.readline()
    message = json.loads(sys.stdin.read(length))
    method = message["method"]
    if method == "initialize":
        root = message["params"]["rootUri"][len("file://"):]
        send({"id": message["id"], "result": {"capabilities": {}}})
    if method == "textDocument/didOpen":
        start = {"line": 0, "character": 0}
        found = [{"message": each, "range": {"start": start, "end": start}} for each in findings(root)]
        uri = message["params"]["textDocument"]["uri"]
        send({"method": "textDocument/publishDiagnostics", "params": {"uri": uri, "diagnostics": found}})
`;

it("is confined: reads the roots but for closed places, writes nothing, and reaches nobody", async () => {
  needs("bwrap", "pylsp");
  const root = scratch({ "a.x": "1\n", "closed.key": "secret\n" });
  const listener = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  onTestFinished(() => void listener.close());
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const command = ["python3", "-u", "-c", CURIOUS, "127.0.0.1", String(port)] as [string, ...string[]];
  const rules = [{ act: "read" as const, path: "closed.key", decide: "blocked" as const, origin: "here" }];
  const caller = callerOn(root, {
    diagnostics: { servers: [{ command, files: ["*.x"] }], budgetMs: PATIENT_MS },
    ruleSource: { layers: [{ name: "user", rules }] },
  });
  const { data } = await caller("write", { path: "b.x", content: "1\n" });
  const found = data["diagnostics"] as readonly { readonly message: string }[];
  expect([data["notes"], found?.map(({ message }) => message)]).toEqual([
    undefined,
    ["read: yes", "write: no", "read what is closed: no", "state: no", "network: no"],
  ]);
});

/** Lists the processes of language servers on this machine. */
function runningServers(): readonly string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes("--lsp\0--stdio"));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
