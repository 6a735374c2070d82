import { type Code, CODES } from "../../base/errors.ts";
import {
  type CallOutput,
  isSameResult,
  type CallSignature,
  type ResultFingerprint,
  resultFingerprintOf,
  signatureOf,
} from "./signatures.ts";

/** Names a kind of loop. */
export type Detector = "genericRepeat" | "knownPollNoProgress" | "pingPong" | "repeatedRefusals" | "unknownTool";

/** Describes a loop and for how many calls it has lasted. */
export interface Cycle {
  readonly detector: Detector;
  readonly times: number;
}

/** Remembers one call that was made, or that the guard refused. */
interface HistoryEntry {
  readonly signature: string;
  readonly fingerprint: ResultFingerprint;
  /** Is equal for calls with the same signature whose results have been the same since. */
  readonly streak: number;
  readonly detector: Detector;
  /** Is true if no call with this signature was remembered before. */
  readonly isFirst: boolean;
}

/** Holds the last calls of a session. */
export interface CallHistory {
  /** Returns the signature that identifies a call. */
  signatureFor(call: CallSignature): string;
  /** Returns the cycles that a call with this signature would continue. */
  cyclesOf(signature: string): readonly Cycle[];
  /** Returns the signatures of the last calls. */
  lastSignatures(count: number): ReadonlySet<string>;
  /** Counts the calls at the end that were refused, whichever they were. */
  refusedInARow(): number;
  record(call: CallSignature, signature: string, given: CallOutput): void;
  /** Records a call that the guard refused. */
  recordRefused(signature: string): void;
  clear(): void;
}

export function createCallHistory(size: number): CallHistory {
  let entries: HistoryEntry[] = [];
  let streaks = 0;
  /** Counts the entries since the last change that was not a repetition. No older entry can be part of a cycle. */
  let sinceChange = 0;
  const lastOf = (signature: string): HistoryEntry | undefined =>
    entries.findLast((entry) => entry.signature === signature);
  const add = (entry: HistoryEntry): void => {
    if (entries.length === size) entries.shift();
    entries.push(entry);
    sinceChange = Math.min(sinceChange + 1, size);
  };
  return {
    signatureFor(call) {
      const isUnknown = lastOf(call.tool) !== undefined;
      return isUnknown ? call.tool : signatureOf(call);
    },
    cyclesOf: (signature) => cyclesIn(entries.slice(-sinceChange), signature),
    lastSignatures: (number) => new Set(entries.slice(-number).map(({ signature }) => signature)),
    refusedInARow: () => entries.length - 1 - entries.findLastIndex(({ detector }) => detector !== "repeatedRefusals"),
    record(call, asked, given) {
      const signature = given.code === "unknown_tool" ? call.tool : asked;
      const [before, fingerprint] = [lastOf(signature), resultFingerprintOf(given)];
      const streak = before && isSameResult(before.fingerprint, fingerprint, given) ? before.streak : ++streaks;
      add({ signature, fingerprint, streak, detector: detectorOf(call, given), isFirst: !before });
      if (!before && given.data["change_id"] !== undefined) sinceChange = 1;
    },
    recordRefused(signature) {
      const before = lastOf(signature);
      if (before) add({ ...before, isFirst: false });
    },
    clear() {
      entries = [];
      sinceChange = 0;
    },
  };
}

function detectorOf({ isPoll }: CallSignature, { code }: CallOutput): Detector {
  if (code === "unknown_tool") return "unknownTool";
  if (CODES[code as Code]?.kind === "denied") return "repeatedRefusals";
  return isPoll ? "knownPollNoProgress" : "genericRepeat";
}

function cyclesIn(entries: readonly HistoryEntry[], signature: string): readonly Cycle[] {
  const last = entries.findLastIndex((entry) => entry.signature === signature);
  const { streak, detector } = entries[last] ?? {};
  if (detector === undefined) return [];
  // A caller that did something else meanwhile may make the same call once more.
  const hasNewCallSince = entries.slice(last + 1).some(({ isFirst }) => isFirst);
  const times = hasNewCallSince ? 0 : entries.filter((entry) => entry.streak === streak).length;
  const turns = entries.length - last <= 2 ? alternationsAtEnd(entries) : 0;
  return [
    { detector: "pingPong", times: turns },
    { detector, times },
  ];
}

/** Counts for how many calls two signatures have alternated, each with the same result every time. */
function alternationsAtEnd(entries: readonly HistoryEntry[]): number {
  const [second, first] = entries.slice(-2);
  if (!first || !second || first.signature === second.signature) return 0;
  const isTurn = (nth: number): boolean => entries.at(-1 - nth)?.streak === (nth % 2 === 0 ? first : second).streak;
  let turns = 0;
  while (isTurn(turns)) turns++;
  return turns;
}
