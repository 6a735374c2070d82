import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { type CommandReport, type JobInput, stateNote } from "../../exec/report.ts";
import { plural } from "../../text/plural.ts";
import { noted } from "../notes.ts";
import {
  type Answer,
  answer,
  type ApplyIntent,
  defineTool,
  type FollowUpCall,
  type JobIntent,
  type JobRequest,
  OUTWARD,
  type ParsedInput,
} from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";
import { changesReported, reportAnswer, reportData, reported } from "./answering/report-answer.ts";

const ACTIONS = [
  "list",
  "poll",
  "log",
  "status",
  "write",
  "input",
  "send-keys",
  "submit",
  "paste",
  "signal",
  "kill",
  "clear",
  "remove",
  "apply",
  "discard",
] as const;

const input = z.strictObject({
  action: z.enum(ACTIONS),
  process_id: z.string().max(LIMITS.quotedNameChars).optional(),
  input: z.string().max(LIMITS.inputChars).optional(),
  keys: z.array(z.string().max(LIMITS.quotedNameChars)).max(LIMITS.keysPerCall).optional(),
  signal: z.string().max(LIMITS.quotedNameChars).optional(),
  timeout: z.int().min(0).max(LIMITS.pollMsMost).optional().describe("Milliseconds to wait"),
  offset: z.int().min(0).optional(),
  limit: z.int().min(1).max(LIMITS.logLinesMost).optional(),
  text: z.string().max(LIMITS.inputChars).optional().describe("Means the same as input").meta(UNLISTED.input),
  literal: z
    .string()
    .max(LIMITS.inputChars)
    .optional()
    .describe("Means the same as input, beside keys")
    .meta(UNLISTED.input),
  hex: z
    .array(z.string().regex(/^[\da-f]{2}$/i))
    .max(LIMITS.inputChars)
    .optional()
    .describe("Bytes to send, two hexadecimal digits each, after the keys")
    .meta(UNLISTED.input),
  eof: z.boolean().optional().describe("Closes the standard input afterwards").meta(UNLISTED.rare),
});

type Input = z.output<typeof input>;

const output = z.object({
  ...reported,
  processes: z.array(z.object({ ...reported, command: z.string() })).optional(),
  ...changesReported,
  ...noted,
});

export const process = defineTool({
  name: "process",
  title: "Control a command",
  description: "List, poll, feed and end commands that exec left running; apply or discard their changes.",
  annotations: OUTWARD,
  catalogue: { group: "runtime", order: 38, step: "execution" },
  showsOutput: true,
  secretArguments: ["input", "text", "literal"],
  input,
  output,
  polls: ({ action }) => action === "poll" || action === "status" || action === "log",

  async plan(args) {
    const { action } = args;
    if (action === "apply") return applyIntent(idIn(args));
    const request = requestOf(action, args);
    return { kind: "job", request, answerFor: answersFor(request), applyCall } satisfies JobIntent;
  },
});

/** Returns the call that applies what a command changed. */
export const applyCall = (id: string): FollowUpCall => ({
  tool: process,
  input: { action: "apply", process_id: id } as ParsedInput,
});

function requestOf(action: Exclude<Input["action"], "apply">, args: Input): JobRequest {
  switch (action) {
    case "list":
    case "clear":
      return { does: action };
    case "poll":
      return { does: "poll", id: idIn(args), waitMs: args.timeout ?? LIMITS.pollMs };
    case "log":
      return { does: "log", id: idIn(args), offset: args.offset, limit: args.limit };
    case "signal":
      return { does: "signal", id: idIn(args), signal: signalIn(args) };
    case "kill":
      return { does: "signal", id: idIn(args), signal: "end" };
    case "status":
    case "remove":
    case "discard":
      return { does: action, id: idIn(args) };
    case "write":
    case "input":
    case "send-keys":
    case "submit":
    case "paste":
      return { does: "input", id: idIn(args), inputs: inputsOf(args) };
  }
}

function idIn({ process_id: id, action }: Input): string {
  if (id !== undefined) return id;
  throw missingFault("process_id", `${action} needs the id that exec returned; list shows all`);
}

const missingFault = (argument: string, says: string): Fault =>
  new Fault("invalid_input", `Cannot call "process": "${argument}" is missing: ${says}`, { argument });

function signalIn({ signal = "SIGTERM" }: Input): NodeJS.Signals {
  const name = signal.toUpperCase().replace(/^(?!SIG)/, "SIG");
  if (SIGNALS.has(name)) return name as NodeJS.Signals;
  const says = `it is no signal; use one of ${[...SIGNALS].join(", ")}`;
  throw new Fault("invalid_input", `Cannot send ${JSON.stringify(signal)}: ${says}`, { argument: "signal" });
}

const SIGNALS: ReadonlySet<string> = new Set(
  "SIGHUP SIGINT SIGQUIT SIGKILL SIGUSR1 SIGUSR2 SIGTERM SIGCONT SIGSTOP SIGTSTP SIGWINCH".split(" "),
);

/** Returns what is written to the command, in this order: text, keys, bytes, the end of the input. */
function inputsOf(args: Input): readonly JobInput[] {
  const text = args.input ?? args.text ?? args.literal;
  const inputs: JobInput[] = [];
  if (text !== undefined) inputs.push({ kind: args.action === "paste" ? "paste" : "text", text });
  if (args.keys) inputs.push({ kind: "keys", keys: args.keys });
  if (args.hex) inputs.push({ kind: "hex", text: args.hex.join("") });
  if (args.action === "submit") inputs.push({ kind: "keys", keys: ["Enter"] });
  if (args.eof) inputs.push({ kind: "end" });
  if (inputs.length > 0) return inputs;
  throw missingFault(args.action === "send-keys" ? "keys" : "input", `${args.action} writes it to the command`);
}

const answersFor =
  ({ does }: JobRequest) =>
  (reports: readonly CommandReport[]): Omit<Answer, "kind"> => {
    const [first] = reports;
    if (does === "list" || does === "clear")
      return listAnswer(reports, does === "clear" ? "Removed" : reports.length === 1 ? "Here is" : "Here are");
    return first ? reportAnswer(first) : answer("Done", {});
  };

function listAnswer(reports: readonly CommandReport[], verb: string): Omit<Answer, "kind"> {
  const lines = reports.map((each) => `${each.id}: ${each.command} (${stateNote(each)})`);
  const text = reports.length === 0 ? "There are no commands" : `${verb} ${plural(reports.length, "command")}:`;
  const processes = reports.map((each) => ({ ...reportData(each), command: each.command }));
  return answer([text, ...lines].join("\n"), { processes });
}

/** Asks to apply what a command changed. Only people decide conflicts by `prefer`. */
export const applyIntent = (id: string, prefer?: ApplyIntent["prefer"]): ApplyIntent => ({
  kind: "apply",
  id,
  prefer,
  answerFor(record, { lines, diff, notes, isDryRun }) {
    const applied = record !== null;
    const head = applied ? "Changed:" : isDryRun ? "It would change:" : "Nothing was changed";
    const shown = diff === undefined ? [] : [diff.trimEnd()];
    const text = lines.length === 0 ? "It changed no files" : [head, ...lines, ...shown].join("\n");
    return answer(text, { process_id: id, applied, changes: lines, ...(diff !== undefined && { diff }) }, notes);
  },
});
