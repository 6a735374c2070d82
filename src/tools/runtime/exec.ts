import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { EXEC_ASKS, EXEC_HOSTS, EXEC_SECURITIES } from "../../base/verdicts.ts";
import { noted } from "../notes.ts";
import { pathInput } from "../paths.ts";
import { defineTool, OUTWARD, type RunOptions } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";
import { applyCall } from "./process.ts";
import { changesReported, reportAnswer, reported } from "./answering/report-answer.ts";

const input = z.strictObject({
  command: z.string().min(1).max(LIMITS.commandChars),
  workdir: pathInput.optional(),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Variables for the command, besides those that are passed on; names that change which code runs are refused, and " +
        "the placeholder of a secret becomes its value",
    )
    .meta(UNLISTED.rare),
  background: z.boolean().optional().describe("For servers"),
  timeout: z.number().positive().optional().describe("Seconds, at least 10"),
  dry_run: z.boolean().optional(),
  yield_ms: z
    .int()
    .min(0)
    .max(LIMITS.yieldMsMost)
    .optional()
    .describe(
      "Milliseconds after which it goes on in the background (default 10000); in a terminal, once its screen stands still",
    )
    .meta(UNLISTED.rare),
  pty: z
    .boolean()
    .optional()
    .describe("Runs it in a terminal, for programs that draw a screen or ask; process sends keys")
    .meta(UNLISTED.rare),
  detach: z
    .boolean()
    .optional()
    .describe("Lets it outlive the server; a later session, or holdfast jobs, finds it with its output and exit code")
    .meta(UNLISTED.rare),
  undo: z
    .boolean()
    .optional()
    .describe("false: changes the files at once, and keeps no copies to undo from")
    .meta(UNLISTED.rare),
  elevated: z
    .boolean()
    .optional()
    .describe("Runs it without a sandbox, where agents.*.tools.elevated lets the sender of the request ask for that")
    .meta(UNLISTED.rare),
  host: z
    .enum(EXEC_HOSTS)
    .optional()
    .describe("Where it must run: sandbox, or gateway (this machine); node is refused by this version")
    .meta(UNLISTED.rare),
  security: z
    .enum(EXEC_SECURITIES)
    .optional()
    .describe("Is stricter than tools.exec.security for this call: deny, allowlist or full")
    .meta(UNLISTED.rare),
  ask: z.enum(EXEC_ASKS).optional().describe("Asks more often than tools.exec.ask for this call").meta(UNLISTED.rare),
  node: z
    .string()
    .max(LIMITS.quotedNameChars)
    .optional()
    .describe("Another machine; refused by this version")
    .meta(UNLISTED.rare),
});

type Input = z.output<typeof input>;

const output = z.object({
  ...reported,
  ...changesReported,
  not_applied: z.string().optional(),
  ...noted,
});

export const exec = defineTool({
  name: "exec",
  title: "Run a command",
  description: "Run a shell command. File changes are listed and can be undone.",
  annotations: OUTWARD,
  catalogue: { group: "runtime", order: 34, step: "execution" },
  otherNames: ["bash"],
  showsOutput: true,
  secretArguments: ["env"],
  input,
  output,

  async plan(args, view) {
    if (args.node !== undefined || args.host === "node") throw noNodeFault();
    // No program can be given it, and a shell that drops it runs another command than the one that was judged.
    if (args.command.includes("\0")) throw nulFault();
    const { place: directory, now } = await view.resolveTarget(args.workdir ?? ".", "follow");
    if (now?.facts.kind !== "directory") throw noDirectoryFault(args.workdir ?? ".");
    return {
      kind: "run",
      command: args.command,
      directory,
      options: optionsOf(args),
      answerFor: reportAnswer,
      applyCall,
    };
  },
});

const optionsOf = (args: Input): RunOptions => ({
  environment: args.env ?? {},
  mode: args.detach ? "detached" : args.background ? "background" : "foreground",
  yieldMs: args.yield_ms,
  timeoutMs: args.timeout === undefined ? undefined : args.timeout * 1000,
  hasTerminal: args.pty ?? false,
  isElevated: args.elevated ?? false,
  host: args.host,
  security: args.security,
  ask: args.ask,
  isDryRun: args.dry_run ?? false,
  isUndoable: args.undo ?? true,
});

const noNodeFault = (): Fault =>
  new Fault(
    "invalid_input",
    "Cannot run a command on another machine: this version runs commands on this machine only",
    {
      argument: "host",
    },
  );

const nulFault = (): Fault =>
  new Fault("invalid_input", 'Cannot use "command": it contains a NUL', { argument: "command" });

const noDirectoryFault = (path: string): Fault =>
  new Fault("not_a_directory", `Cannot run a command in ${JSON.stringify(path)}: it is no directory`, { path });
