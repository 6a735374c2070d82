import { LIMITS } from "../../base/limits.ts";
import { plural } from "../../text/plural.ts";
import { quoted, visible } from "../../text/quote.ts";
import type { ApprovalRequest } from "../approvals/approval.ts";
import type { EffectPart } from "./effect-part.ts";
import type { CallEffect } from "./call-effect.ts";

/** Renders a question for people. Nothing is cut, and no name or content can forge a line or hide a character. */
export const questionLines = ({ tool, reasons, effect }: Pick<ApprovalRequest, "tool" | "reasons" | "effect">) => [
  headOf({ tool, effect }, visible(reasons.join("; "))),
  ...effectLines(effect),
];

/** Names the tool that the agent called: what a command changed is applied by another one. */
export const toolAsked = ({ tool, effect }: Pick<ApprovalRequest, "tool" | "effect">): string =>
  effect.command === undefined ? tool : "exec";

const headOf = (asked: Pick<ApprovalRequest, "tool" | "effect">, reasons: string): string =>
  asked.effect.command === undefined
    ? `${asked.tool}: ${reasons}`
    : `exec: apply what ${quoted(asked.effect.command)} changed: ${reasons}`;

/** Renders a question for a dialog. Contents that do not fit are cut and marked; what is removed is always listed. */
export function questionText(request: Pick<ApprovalRequest, "tool" | "reasons" | "effect" | "show">): string {
  const lines = questionLines(request);
  const whole = lines.join("\n");
  if (whole.length <= LIMITS.dialogChars) return whole;
  const { effect, show = "the command line shows them" } = request;
  const heads = effect.parts.flatMap((part) => [headingOf(part), ...(isLargeTree(part) ? [] : entryLines(part))]);
  return [lines[0], ...heads, `[Cut: the contents; ${show}]`, recoveryText(effect)].join("\n");
}

const isLargeTree = ({ action, entries = [] }: EffectPart): boolean =>
  isNewTree(action) && entries.length > LIMITS.shownTree.files;

const isNewTree = (action: EffectPart["action"]): boolean => action === "adopt" || action === "unpack";

const effectLines = (effect: CallEffect): readonly string[] => [
  ...effect.parts.flatMap((part) => [
    headingOf(part),
    ...entryLines(part),
    ...linesIn(part.diff),
    ...linesIn(part.sends),
  ]),
  recoveryText(effect),
];

const recoveryText = ({ recoverable, parts }: CallEffect): string => {
  if (parts.every(({ action }) => action === "read")) return "What was read cannot be taken back";
  return recoverable ? "Undo takes it back" : "CANNOT be taken back";
};

function headingOf({ action, path, to, files, bytes, mode, note }: EffectPart): string {
  const name = to === undefined ? quoted(path) : `${quoted(path)} → ${quoted(to)}`;
  const facts = [
    files !== undefined && plural(files, "file"),
    bytes !== undefined && plural(bytes, "byte"),
    mode !== undefined && `permissions ${mode}`,
    note !== undefined && visible(note),
  ].filter(Boolean);
  return `${ACTION_VERBS[action]} ${name}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
}

const ACTION_VERBS: Readonly<Record<EffectPart["action"], string>> = {
  read: "read",
  write: "write",
  append: "append to",
  remove: "delete",
  erase: "delete for good",
  move: "move",
  copy: "copy",
  restore: "bring back",
  adopt: "apply",
  unpack: "create",
  mkdir: "make the directory",
  chmod: "change the permissions of",
  call: "call",
  run: "run",
};

const entryLines = ({ action, entries = [] }: EffectPart): readonly string[] =>
  entries.map((entry) => `  ${isNewTree(action) ? "+" : "-"} ${quoted(entry)}`);

const linesIn = (text = ""): readonly string[] => (text === "" ? [] : visible(text).replace(/\n$/, "").split("\n"));
