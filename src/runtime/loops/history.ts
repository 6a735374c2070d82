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
  /** Returns the cycles that a call with this signature would continue; none for a call that was not made before. */
  cyclesOf(signature: string): readonly Cycle[];
  /** Returns the signatures of the last calls. */
  lastSignatures(count: number): ReadonlySet<string>;
  record(call: CallSignature, signature: string, given: CallOutput): Recorded;
  /** Records a call that the guard refused. */
  recordRefused(signature: string): void;
  clear(): void;
}

/** Describes the last calls once a result is recorded. */
export interface Recorded {
  /** Lists the cycles that the call is part of. */
  readonly cycles: readonly Cycle[];
  /** Counts the calls at the end that were refused, whichever they were. */
  readonly refusedInARow: number;
}

export function createCallHistory(size: number): CallHistory {
  let entries: HistoryEntry[] = [];
  /** Holds the last entry of each signature in `entries`. */
  const last = new Map<string, HistoryEntry>();
  let streaks = 0;
  /** Counts the entries since the last change that was not a repetition. No older entry can be part of a cycle. */
  let sinceChange = 0;
  const add = (entry: HistoryEntry): void => {
    const oldest = entries.length === size ? entries.shift() : undefined;
    if (oldest && last.get(oldest.signature) === oldest) last.delete(oldest.signature);
    entries.push(entry);
    last.set(entry.signature, entry);
    sinceChange = Math.min(sinceChange + 1, size);
  };
  return {
    // A tool that does not exist is the same call whatever its arguments are.
    signatureFor: (call) => (last.has(call.tool) ? call.tool : signatureOf(call)),
    cyclesOf: (signature) => (last.has(signature) ? cyclesIn(entries.slice(-sinceChange), signature) : []),
    lastSignatures: (number) => new Set(entries.slice(-number).map(({ signature }) => signature)),
    record(call, asked, given) {
      const signature = given.code === "unknown_tool" ? call.tool : asked;
      const [before, fingerprint] = [last.get(signature), resultFingerprintOf(given)];
      const streak = before && isSameResult(before.fingerprint, fingerprint, given) ? before.streak : ++streaks;
      add({ signature, fingerprint, streak, detector: detectorOf(call, given), isFirst: !before });
      if (!before && given.data["change_id"] !== undefined) sinceChange = 1;
      const lastAllowed = entries.findLastIndex(({ detector }) => detector !== "repeatedRefusals");
      return { cycles: cyclesIn(entries.slice(-sinceChange), asked), refusedInARow: entries.length - 1 - lastAllowed };
    },
    recordRefused(signature) {
      const before = last.get(signature);
      if (before) add({ ...before, isFirst: false });
    },
    clear() {
      entries = [];
      last.clear();
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
  let turns = 0;
  while (entries.at(-1 - turns)?.streak === (turns % 2 === 0 ? first : second).streak) turns++;
  return turns;
}
