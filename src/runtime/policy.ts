import { isWithin } from "../base/paths.ts";
import type { Intent } from "../tools/tool.ts";
import { type Change, placesOf } from "../workspace/change.ts";

/** What may happen with a want, mildest first. `notify` is done and told; `approval` waits for a yes. */
export const VERDICTS = ["autonomous", "notify", "approval", "blocked"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One thing a call wants to do with one place. */
export interface Want {
  readonly act: "read" | "write" | "erase";
  readonly place: string;
  /** It concerns everything below the place as well. */
  readonly isTree?: boolean;
}

/** Speaks about everything in one directory, or everywhere when `within` is empty. */
export interface Rule {
  readonly act: Want["act"];
  readonly within: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface Decision {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
}

/** Everything inside the roots may be read, nothing may be changed. */
export const READ_ONLY_RULES: readonly Rule[] = [
  { act: "read", within: "", verdict: "autonomous", reason: "reading is free" },
  { act: "write", within: "", verdict: "blocked", reason: "this session is read-only" },
];

/** Files may be changed: nothing is lost by it. Only what cannot be brought back is not allowed. */
export const WRITING_RULES: readonly Rule[] = [
  { act: "read", within: "", verdict: "autonomous", reason: "reading is free" },
  { act: "write", within: "", verdict: "autonomous", reason: "changes can be undone" },
  { act: "erase", within: "", verdict: "blocked", reason: "deleting for good is not allowed" },
];

/** The same rules for these directories only. What is free everywhere is free in each of them, and nowhere else. */
export const narrowedTo = (rules: readonly Rule[], directories: readonly string[]): readonly Rule[] =>
  rules.flatMap((rule) =>
    rule.within === "" && isFree(rule.verdict) ? directories.map((within) => ({ ...rule, within })) : [rule],
  );

/** The strictest rule that speaks about any of the wants decides; what no rule speaks about is blocked. */
export function decide(rules: readonly Rule[], wants: readonly Want[]): Decision {
  let strictest: Decision = { verdict: "autonomous", reasons: [] };
  for (const want of wants) {
    let isRuled = false;
    for (const rule of rules) {
      if (rule.act !== want.act || !speaksOf(rule, want)) continue;
      isRuled = true;
      strictest = stricter(strictest, rule);
    }
    if (!isRuled) strictest = stricter(strictest, { verdict: "blocked", reason: `no rule allows to ${want.act} it` });
  }
  return strictest;
}

/** A rule for something below speaks about a whole tree as well. */
const speaksOf = ({ within }: Rule, { place, isTree }: Want): boolean =>
  isWithin(place, within) || (isTree === true && isWithin(within, place));

function stricter(so: Decision, { verdict, reason }: Pick<Rule, "verdict" | "reason">): Decision {
  const now = VERDICTS.indexOf(verdict);
  const then = VERDICTS.indexOf(so.verdict);
  if (now < then) return so;
  return { verdict, reasons: now === then ? [...so.reasons, reason] : [reason] };
}

/** Done without asking; `notify` is told afterwards. */
export const isFree = (verdict: Verdict): boolean => verdict === "autonomous" || verdict === "notify";

/** What performing an intent would need. An answer needs nothing: what it holds was judged when it was read. */
export function wantsOf(intent: Intent): readonly Want[] {
  switch (intent.kind) {
    case "answer":
      return [];
    case "change":
      return intent.changes.flatMap(wantsOfChange);
  }
}

/** A tree that goes, or is copied, takes along all that is in it. */
function wantsOfChange(change: Change): readonly Want[] {
  const isErased = change.kind === "remove" && change.into === "nowhere";
  const isTree =
    change.kind === "remove" || change.kind === "move" || change.kind === "copy" || change.kind === "restore";
  const acts = isErased ? (["write", "erase"] as const) : (["write"] as const);
  const wants = placesOf(change).flatMap((place): Want[] => acts.map((act) => ({ act, place, isTree })));
  return change.kind === "copy" ? [{ act: "read", place: change.path, isTree }, ...wants] : wants;
}
