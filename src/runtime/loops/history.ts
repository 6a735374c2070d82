import { type Code, CODES } from "../../base/errors.ts";
import {
  type CallArguments,
  isSameCall,
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
interface Entry {
  readonly sign: string;
  readonly print: ResultFingerprint;
  /** Equal for calls with the same sign that have given the same ever since. */
  readonly run: number;
  readonly detector: Detector;
  /** Nothing of the kind was remembered when it was made. */
  readonly isFresh: boolean;
}

/** The last calls of a session. */
export interface CallHistory {
  /** What a call is known by here. */
  signOf(call: CallSignature): string;
  /** The circles that a call with this sign goes on with. */
  circlesOf(sign: string): readonly Cycle[];
  /** Which calls the last ones were. */
  lastSigns(count: number): ReadonlySet<string>;
  /** How many calls were refused in a row, whichever they were. */
  refusedInARow(): number;
  learn(call: CallSignature, sign: string, given: CallArguments): void;
  /** One more of these was asked for, and refused. */
  again(sign: string): void;
  forget(): void;
}

export function createCallHistory(size: number): CallHistory {
  let entries: Entry[] = [];
  let runs = 0;
  /** How many of the entries are younger than the last change that repeated nothing. Nothing older is part of a circle. */
  let young = 0;
  const lastOf = (sign: string): Entry | undefined => entries.findLast((entry) => entry.sign === sign);
  const add = (entry: Entry): void => {
    if (entries.length === size) entries.shift();
    entries.push(entry);
    young = Math.min(young + 1, size);
  };
  return {
    signOf(call) {
      const isUnknown = lastOf(call.tool) !== undefined;
      return isUnknown ? call.tool : signatureOf(call);
    },
    circlesOf: (sign) => circlesIn(entries.slice(-young), sign),
    lastSigns: (number) => new Set(entries.slice(-number).map(({ sign }) => sign)),
    refusedInARow: () => entries.length - 1 - entries.findLastIndex(({ detector }) => detector !== "repeatedRefusals"),
    learn(call, asked, given) {
      const sign = given.code === "unknown_tool" ? call.tool : asked;
      const [before, print] = [lastOf(sign), resultFingerprintOf(given)];
      const run = before && isSameCall(before.print, print, given) ? before.run : ++runs;
      add({ sign, print, run, detector: detectorOf(call, given), isFresh: !before });
      if (!before && given.data["change_id"] !== undefined) young = 1;
    },
    again(sign) {
      const before = lastOf(sign);
      if (before) add({ ...before, isFresh: false });
    },
    forget() {
      entries = [];
      young = 0;
    },
  };
}

function detectorOf({ isPoll }: CallSignature, { code }: CallArguments): Detector {
  if (code === "unknown_tool") return "unknownTool";
  if (CODES[code as Code]?.kind === "denied") return "repeatedRefusals";
  return isPoll ? "knownPollNoProgress" : "genericRepeat";
}

function circlesIn(entries: readonly Entry[], sign: string): readonly Cycle[] {
  const last = entries.findLastIndex((entry) => entry.sign === sign);
  const { run, detector } = entries[last] ?? {};
  if (detector === undefined) return [];
  // Who has done something else meanwhile may look once more.
  const isAnew = entries.slice(last + 1).some(({ isFresh }) => isFresh);
  const times = isAnew ? 0 : entries.filter((entry) => entry.run === run).length;
  const turns = entries.length - last <= 2 ? turnsAtEnd(entries) : 0;
  return [
    { detector: "pingPong", times: turns },
    { detector, times },
  ];
}

/** For how many calls two have taken turns, each giving the same every time. */
function turnsAtEnd(entries: readonly Entry[]): number {
  const [second, first] = entries.slice(-2);
  if (!first || !second || first.sign === second.sign) return 0;
  const isTurn = (nth: number): boolean => entries.at(-1 - nth)?.run === (nth % 2 === 0 ? first : second).run;
  let turns = 0;
  while (isTurn(turns)) turns++;
  return turns;
}
