import { hash } from "node:crypto";
import { withSortedKeys } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Block, charsIn } from "../../tools/tool.ts";

/** What a call gave, as far as a loop can be told by it. */
export interface CallOutput {
  /** "ok", or the code of the fault. */
  readonly code: string;
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** A call, as far as a loop can be told by it. */
export interface CallSignature {
  readonly tool: string;
  readonly input: unknown;
  /** It only looks whether something has moved, as its tool says. */
  readonly isPoll: boolean;
}

/** Calls with the same sign are the same call. Neither the order of its keys nor how long a poll would wait makes another call of it. */
export function signatureOf({ tool, input, isPoll }: CallSignature): string {
  const text = `${tool} ${jsonOf(input, isPoll ? withoutWaits : undefined)}`;
  return text.length <= LIMITS.loopTextChars ? text : `${tool} ${hash("sha256", text, "base64url")}`;
}

const withoutWaits = (name: string, value: unknown): unknown => (WAITS.has(name) ? undefined : value);

const WAITS: ReadonlySet<string> = new Set(["timeout", "wait_ms"]);

/** What callers hand us may have no JSON form. */
function jsonOf(value: unknown, replacer: ((name: string, value: unknown) => unknown) | undefined): string {
  try {
    return JSON.stringify(withSortedKeys(value), replacer) ?? "";
  } catch {
    return "[not JSON]";
  }
}

/** What is remembered of an answer. */
export interface ResultFingerprint {
  readonly exact: string;
  /** All that was told, where that is short. */
  readonly text?: string;
  /** What was told without that which time alone changes; made when it is first needed. */
  stableText?: string | undefined;
}

/** A long answer with a version need not be read: the version stands for it. */
export function resultFingerprintOf({ code, blocks, data }: CallOutput): ResultFingerprint {
  const version = typeof data["version"] === "string" ? data["version"] : "";
  const chars = charsIn(blocks);
  if (version !== "" && chars > LIMITS.loopTextChars) return { exact: `${version} ${chars} characters` };
  const told = textOf(code, blocks);
  if (told.length <= LIMITS.loopTextChars) return { exact: `${version} ${told}`, text: told };
  return { exact: hash("sha256", told, "base64url") };
}

/** Whether both calls were told the same, or the same but for times, process ids and durations. */
export function isSameResult(before: ResultFingerprint, now: ResultFingerprint, { code, blocks }: CallOutput): boolean {
  if (before.exact === now.exact) {
    now.stableText = before.stableText;
    return true;
  }
  now.stableText = stableTextOf(textOf(code, blocks));
  before.stableText ??= before.text && stableTextOf(before.text);
  return before.stableText === now.stableText;
}

const textOf = (code: string, blocks: readonly Block[]): string =>
  `${code} ${blocks.map((block) => (block.kind === "text" ? block.text : `[${block.mime} ${block.data.length}]`)).join("\n")}`;

function stableTextOf(told: string): string {
  const plain = told.length <= LIMITS.loopPlainChars ? told.replace(VOLATILE, "~") : told;
  return plain.length <= LIMITS.loopTextChars ? plain : hash("sha256", plain, "base64url");
}

const DATE = String.raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`;
const CLOCK = String.raw`\d{1,2}:\d\d:\d\d(?:[.,]\d+)?`;
const SINCE_1970 = String.raw`1[5-9]\d{8}(?:\d{3})?`;
const PROCESS = String.raw`pid\W{0,3}\d+`;
const UNIT = "(?:ns|us|µs|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)";
const DURATION = String.raw`(?:\d+(?:[.,]\d+)? ?${UNIT} ?)+`;

/** What differs from one look to the next although nothing has moved. */
const VOLATILE = new RegExp(String.raw`\b(?:${DATE}|${CLOCK}|${SINCE_1970}|${PROCESS}|${DURATION})\b`, "gi");
