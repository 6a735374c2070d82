import { hash } from "node:crypto";
import { withSortedKeys } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Block, charsIn } from "../../tools/tool.ts";

/** Holds the parts of a result that loops are detected by. */
export interface CallOutput {
  /** Is "ok", or the code of the fault. */
  readonly code: string;
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Holds the parts of a call that loops are detected by. */
export interface CallSignature {
  readonly tool: string;
  readonly input: unknown;
  /** Is true where the tool declares the call a poll for progress. */
  readonly isPoll: boolean;
}

/** Returns the same signature for the same call, whatever the order of keys and, for a poll, the time it would wait. */
export function signatureOf({ tool, input, isPoll }: CallSignature): string {
  const text = `${tool} ${jsonOf(input, isPoll ? withoutWaits : undefined)}`;
  return text.length <= LIMITS.loopTextChars ? text : `${tool} ${hash("sha256", text, "base64url")}`;
}

const withoutWaits = (name: string, value: unknown): unknown => (WAITS.has(name) ? undefined : value);

const WAITS: ReadonlySet<string> = new Set(["timeout", "wait_ms"]);

/** Tolerates input of callers that has no JSON form. */
function jsonOf(value: unknown, replacer: ((name: string, value: unknown) => unknown) | undefined): string {
  try {
    return JSON.stringify(withSortedKeys(value), replacer) ?? "";
  } catch {
    return "[not JSON]";
  }
}

/** Holds what is remembered of an answer. */
export interface ResultFingerprint {
  readonly exact: string;
  /** Holds the whole text, where it is short. */
  readonly text?: string;
  /** Holds the text without times, process ids and durations. It is computed lazily. */
  stableText?: string | undefined;
}

/** Uses the version of a long answer, where it has one, so that the text need not be read. */
export function resultFingerprintOf({ code, blocks, data }: CallOutput): ResultFingerprint {
  const version = typeof data["version"] === "string" ? data["version"] : "";
  const chars = charsIn(blocks);
  if (version !== "" && chars > LIMITS.loopTextChars) return { exact: `${version} ${chars} characters` };
  const text = textOf(code, blocks);
  if (text.length <= LIMITS.loopTextChars) return { exact: `${version} ${text}`, text };
  return { exact: hash("sha256", text, "base64url") };
}

/** Returns true where both results are the same, or differ only in times, process ids and durations. */
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

function stableTextOf(text: string): string {
  const plain = text.length <= LIMITS.loopPlainChars ? text.replace(VOLATILE, "~") : text;
  return plain.length <= LIMITS.loopTextChars ? plain : hash("sha256", plain, "base64url");
}

const DATE = String.raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`;
const CLOCK = String.raw`\d{1,2}:\d\d:\d\d(?:[.,]\d+)?`;
const SINCE_1970 = String.raw`1[5-9]\d{8}(?:\d{3})?`;
const PROCESS = String.raw`pid\W{0,3}\d+`;
const UNIT = "(?:ns|us|µs|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)";
const DURATION = String.raw`(?:\d+(?:[.,]\d+)? ?${UNIT} ?)+`;

/** Matches what differs between two polls although nothing has changed. */
const VOLATILE = new RegExp(String.raw`\b(?:${DATE}|${CLOCK}|${SINCE_1970}|${PROCESS}|${DURATION})\b`, "gi");
