import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, run } from "./bin.ts";

const VERSION = (JSON.parse(readFileSync(join(BIN, "../../package.json"), "utf8")) as { version: string }).version;

describe("help and version", () => {
  it.each([[["--help"]], [["help"]], [["-h", "src"]]])("%j", async (args) => {
    const { code, out, err } = await run(args);
    expect([code, err]).toEqual([0, ""]);
    for (const word of [
      "Usage",
      "holdfast <dir>...",
      "holdfast install [<client>...]",
      "holdfast call <tool> '<json>'",
      "holdfast file <action>",
      "holdfast history [<path>]",
      "holdfast undo [<change-id>]",
      "holdfast diff <change-id>",
      "holdfast trash [list]",
      "holdfast trash restore <trash-id|path>",
      "holdfast trash purge <trash-id|path|--expired|--all>",
      "holdfast doctor",
      "holdfast demo",
      "--root <dir>",
      "--source <name=dir>",
      "[HOLDFAST_ROOT]",
      "--read-only",
      "[HOLDFAST_READ_ONLY]",
      "--profile <name>",
      "[HOLDFAST_PROFILE]",
      "--agent <id>",
      "--provider <provider[/model]>",
      "--group <id>",
      "--depth <n>",
      "--owner",
      "--context-window <tokens>",
      "[HOLDFAST_CONTEXT_WINDOW]",
      "--loop-detection <on|off>",
      "[HOLDFAST_LOOP_DETECTION]",
      "--state <dir>",
      "[HOLDFAST_STATE]",
      "--durability <process|power>",
      "[HOLDFAST_DURABILITY]",
      "--trash-hours <hours>",
      "[HOLDFAST_TRASH_HOURS]",
      "--dry-run",
      "--help",
      "--version",
    ])
      expect(out).toContain(word);
  });

  it.each([
    { args: ["undo", "--help"], flags: ["--session", "--since", "--path", "--dry-run", "--all"], lines: 1 },
    { args: ["help", "trash"], flags: ["--dry-run", "--all", "--expired", "--overwrite", "--to"], lines: 3 },
    { args: ["approvals", "-h", "show"], flags: [], lines: 8 },
    { args: ["call", "-h"], flags: [], lines: 1 },
    {
      args: ["install", "-h"],
      flags: ["--dry-run", "--all", "--list", "--print", "--remove", "--project", "--http", "--name"],
      lines: 1,
    },
  ])("of one command: $args", async ({ args, flags, lines }) => {
    const { code, out } = await run(args);
    const command = args.find((word) => !word.startsWith("-") && word !== "help");
    const [forms = "", examples = "", ...rest] = out.trimEnd().split("\n\n");
    expect([code, rest.at(-1)]).toEqual([0, "All other flags: holdfast --help"]);
    for (const text of [forms, examples.replace(/^Examples\n/, "")])
      expect(text.split("\n").filter((line) => line.startsWith(`  holdfast ${command}`))).toHaveLength(lines);
    expect(
      rest.length === 2 ? [...(rest[0] ?? "").matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag) : [],
    ).toEqual(flags);
  });

  it.each(["--version", "-v"])("%s", async (flag) => {
    expect(await run([flag])).toEqual({ code: 0, out: `${VERSION}\n`, err: "" });
  });
});
