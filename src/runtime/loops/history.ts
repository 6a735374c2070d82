import { type Code, CODES } from "../../base/errors.ts";
import {
  type CallOutput,
  isSameResult,
  type CallSignature,
  type ResultFingerprint,
  resultFingerprintOf,
  signatureOf,
} from "./signatures.ts";

/** What going in circles looks like. */
export type Detector = "genericRepeat" | "knownPollNoProgress" | "pingPong" | "repeatedRefusals" | "unknownTool";

/** A way of going in circles, and for how many calls. */
export interface Cycle {
  readonly detector: Detector;
  readonly times: number;
}

/** One call that was made, or that the guard refused. */
interface HistoryEntry {
  readonly signature: string;
  readonly fingerprint: ResultFingerprint;
  /** Equal for calls with the same sign that have given the same ever since. */
  readonly streak: number;
  readonly detector: Detector;
  /** Nothing of the kind was remembered when it was made. */
  readonly isFirst: boolean;
}

/** The last calls of a session. */
export interface CallHistory {
  /** What a call is known by here. */
  signatureFor(call: CallSignature): string;
  /** The circles that a call with this sign goes on with. */
  cyclesOf(sign: string): readonly Cycle[];
  /** Which calls the last ones were. */
  lastSignatures(count: number): ReadonlySet<string>;
  /** How many calls were refused in a row, whichever they were. */
  refusedInARow(): number;
  record(call: CallSignature, sign: string, given: CallOutput): void;
  /** One more of these was asked for, and refused. */
  recordRefused(sign: string): void;
  clear(): void;
}

export function createCallHistory(size: number): CallHistory {
  let entries: HistoryEntry[] = [];
  let runs = 0;
  /** How many of the entries are younger than the last change that repeated nothing. Nothing older is part of a circle. */
  let young = 0;
  const lastOf = (sign: string): HistoryEntry | undefined => entries.findLast((entry) => entry.signature === sign);
  const add = (entry: HistoryEntry): void => {
    if (entries.length === size) entries.shift();
    entries.push(entry);
    young = Math.min(young + 1, size);
  };
  return {
    signatureFor(call) {
      const isUnknown = lastOf(call.tool) !== undefined;
      return isUnknown ? call.tool : signatureOf(call);
    },
    cyclesOf: (sign) => cyclesIn(entries.slice(-young), sign),
    lastSignatures: (number) => new Set(entries.slice(-number).map(({ signature }) => signature)),
    refusedInARow: () => entries.length - 1 - entries.findLastIndex(({ detector }) => detector !== "repeatedRefusals"),
    record(call, asked, given) {
      const sign = given.code === "unknown_tool" ? call.tool : asked;
      const [before, print] = [lastOf(sign), resultFingerprintOf(given)];
      const run = before && isSameResult(before.fingerprint, print, given) ? before.streak : ++runs;
      add({ signature: sign, fingerprint: print, streak: run, detector: detectorOf(call, given), isFirst: !before });
      if (!before && given.data["change_id"] !== undefined) young = 1;
    },
    recordRefused(sign) {
      const before = lastOf(sign);
      if (before) add({ ...before, isFirst: false });
    },
    clear() {
      entries = [];
      young = 0;
    },
  };
}

function detectorOf({ isPoll }: CallSignature, { code }: CallOutput): Detector {
  if (code === "unknown_tool") return "unknownTool";
  if (CODES[code as Code]?.kind === "denied") return "repeatedRefusals";
  return isPoll ? "knownPollNoProgress" : "genericRepeat";
}

function cyclesIn(entries: readonly HistoryEntry[], sign: string): readonly Cycle[] {
  const last = entries.findLastIndex((entry) => entry.signature === sign);
  const { streak, detector } = entries[last] ?? {};
  if (detector === undefined) return [];
  // Who has done something else meanwhile may look once more.
  const isAnew = entries.slice(last + 1).some(({ isFirst }) => isFirst);
  const times = isAnew ? 0 : entries.filter((entry) => entry.streak === streak).length;
  const turns = entries.length - last <= 2 ? alternationsAtEnd(entries) : 0;
  return [
    { detector: "pingPong", times: turns },
    { detector, times },
  ];
}

/** For how many calls two have taken turns, each giving the same every time. */
function alternationsAtEnd(entries: readonly HistoryEntry[]): number {
  const [second, first] = entries.slice(-2);
  if (!first || !second || first.signature === second.signature) return 0;
  const isTurn = (nth: number): boolean => entries.at(-1 - nth)?.streak === (nth % 2 === 0 ? first : second).streak;
  let turns = 0;
  while (isTurn(turns)) turns++;
  return turns;
}
