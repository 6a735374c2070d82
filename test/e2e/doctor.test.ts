import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { BIN, bareEnv, own, run, VERSION } from "./bin.ts";
import { needsOwnMounts } from "../programs.ts";
import { jsonOf } from "./workplace.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";

/** Lists what an agent gets by default: all but what runs commands. */
const TOOLS = BUILTIN_TOOLS.filter(({ catalogue }) => !["runtime", "archives"].includes(catalogue.group))
  .map(({ name }) => name)
  .join(" ");

describe("doctor", () => {
  it("tells the same as data", async () => {
    const root = scratch();
    const { code, out } = await run(["doctor", "--json", ".", "none", "--dialect", "picoclaw"], own(root));
    expect([code, JSON.parse(out)]).toMatchObject([
      1,
      {
        version: VERSION,
        roots: [{ path: root, read: true, write: true }],
        skipped: [{ path: "none", reason: "it does not exist" }],
        dialect: "picoclaw",
        tools: ["read_file", "write_file", "list_dir", "edit_file", "append_file"],
        kept: {
          durability: "process",
          history: { changes: 0, bytes: 0 },
          trash: { things: 0, bytes: 0 },
          half_done: 0,
          stores: [],
        },
      },
    ]);
  });

  it("shows what protects this machine and what would be served", async () => {
    const root = scratch({ sub: null });
    const { code, out, err } = await run(["doctor", "sub"], own(root));
    expect([code, err]).toEqual([0, ""]);
    expect(
      out
        .split("\n")
        .slice(0, -1)
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["version", `${VERSION} on Node ${process.versions.node}, ${process.platform} ${process.arch}`],
      ["containment", expect.stringMatching(/^(handle|best-effort): .+/)],
      ["root", `${join(root, "sub")} (read, write)`],
      ["tools", TOOLS],
      ["page", "51200 bytes"],
      ["images", "made to fit by the package sharp 0.35.5"],
      ["documents", "PDF: by the package @hyzyla/pdfium"],
      ["documents", "DOCX: by the package mammoth"],
      ["documents", "DOCX, EPUB and HTML: by the package turndown"],
      ["documents", "XLSX, XLS, XLSB and ODS: by the package hucre"],
      ["commands", "off: --exec allowlist or tools.exec.security turns them on"],
      ["sandbox", expect.stringMatching(/^(bubblewrap|unshare|none): Commands .+/)],
      ["not held", expect.any(String)],
      ...out.split("\n").flatMap((line) => (line.startsWith("for more") ? [line.split(/ {2,}/)] : [])),
      ["undo", expect.stringMatching(/^(overlay|none): /)],
      ["terminal", "by the package zigpty"],
      ["durability", expect.stringMatching(/^process: /)],
      ["history", "0 changes, 0 bytes kept (at most 2.0 GiB and 30 days in a directory)"],
      ["trash", "0 items, 0 bytes (agents 24 h, command line 168 h)"],
      ["unfinished", "none"],
      ["store", "none yet"],
      ["state", stateBeside(root)],
    ]);
    expect(existsSync(stateBeside(root))).toBe(false);
  });

  it.each<{ sandbox: object; gives: object; says: RegExp }>([
    {
      sandbox: { kind: "none" },
      gives: { enabled: true, security: "full", sandbox: { rung: "none" }, undo: false },
      says: /^not held +Commands can read, change and send whatever you can.*is not recognised\.$/m,
    },
    {
      sandbox: { kind: "docker" },
      gives: { enabled: true, problem: expect.stringMatching(/engine|image/), undo: false },
      says: /^sandbox +none can be used: Cannot /m,
    },
  ])("says how commands run: $sandbox", async ({ sandbox, gives, says }) => {
    const root = scratch();
    const config = join(dirname(root), "f.jsonc");
    writeFileSync(config, JSON.stringify({ tools: { exec: { security: "full", sandbox } } }));
    const { cwd, env } = own(root);
    const at = { cwd, env: { ...env, HOLDFAST_CONFIG: config } };
    expect(jsonOf((await run(["doctor", "--json"], at)).out)["commands"]).toMatchObject(gives);
    expect((await run(["doctor"], at)).out).toMatch(says);
    expect(existsSync(stateBeside(root))).toBe(false);
  });

  it("shows what is kept, and where", async () => {
    const root = scratch({ "a.txt": "one\n", "b.txt": "two\n" });
    const { cwd, env } = own(root);
    await run(["call", "write", '{"path":"a.txt","content":"1"}'], { cwd, env });
    await run(["call", "delete", '{"path":"b.txt"}'], { cwd, env });
    const args = ["doctor", "--durability", "power", "--trash-hours", "48"];
    const { out } = await run(args, { cwd, env });
    expect(out).toContain("durability    power: a change survives a power cut\n");
    expect(out).toContain("history       2 changes, 4 bytes kept (");
    expect(out).toContain("trash         1 item, 4 bytes (agents 48 h, ");
    expect(out).toContain(`store         ${join(stateBeside(root), ".holdfast-store")}\n`);
  });

  it("keeps nothing when read-only", async () => {
    const { out } = await run(["doctor", "--read-only"], own(scratch()));
    expect(out).toMatch(/\(read, no write\)$/m);
    expect(out).not.toMatch(/^(durability|history|trash|unfinished|store)/m);
    expect(out).not.toMatch(/^tools.* (write|delete|undo)( |$)/m);
  });

  it("says that nothing can be written where the disk is read-only", () => {
    needsOwnMounts(WITH_OWN_MOUNTS);
    const root = scratch({ "a.txt": "" });
    const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
    const [command, ...through] = [...WITH_OWN_MOUNTS, "sh", "-c", script, "sh", root];
    const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
    const out = execFileSync(command, [...through, process.execPath, BIN, "doctor", root], { env, encoding: "utf8" });
    expect(out).toContain(`root          ${root} (read, no write)\n`);
  });

  it.each([[], ["--dialect", "mcp-filesystem"]])(
    "tells of a root that cannot be used, once, with exit code 1: %j %j",
    async (...words) => {
      const { code, out } = await run(["doctor", ".", "none", ...words], own(scratch()));
      expect(code).toBe(1);
      expect(out).toMatch(/^skipped +none: it does not exist$/m);
      expect(out).not.toMatch(/^problem/m);
    },
  );

  it("wins over a directory of that name, which can still be served by its path", async () => {
    const root = scratch({ "doctor/a.txt": "", "mcp/doctor.txt": "" });
    expect((await run(["doctor"], own(root))).out).toContain(`root          ${root} (read`);
    const { out } = await run(["doctor", "./doctor"], own(root));
    expect(out).toContain(`root          ${join(root, "doctor")} (read`);
    expect((await run(["./doctor"], own(root))).code).toBe(0);
    expect((await run(["mcp", "mcp"], own(root))).code).toBe(0);
  });
});
