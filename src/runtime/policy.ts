import { isWithin } from "../base/paths.ts";
import type { Intent } from "../tools/tool.ts";

/** What may happen with a want, mildest first. `notify` is done and told; `approval` waits for a yes. */
export const VERDICTS = ["autonomous", "notify", "approval", "blocked"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One thing a call wants to do with one place. */
export interface Want {
  readonly act: "read" | "write";
  readonly place: string;
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

/** The strictest rule that speaks about any of the wants decides; what no rule speaks about is blocked. */
export function decide(rules: readonly Rule[], wants: readonly Want[]): Decision {
  let strictest: Decision = { verdict: "autonomous", reasons: [] };
  for (const want of wants) {
    const ruled = rules.filter(({ act, within }) => act === want.act && isWithin(want.place, within));
    const hits =
      ruled.length > 0 ? ruled : [{ verdict: "blocked" as const, reason: `no rule allows to ${want.act} it` }];
    for (const hit of hits) strictest = stricter(strictest, hit);
  }
  return strictest;
}

function stricter(so: Decision, { verdict, reason }: Pick<Rule, "verdict" | "reason">): Decision {
  const [now, then] = [VERDICTS.indexOf(verdict), VERDICTS.indexOf(so.verdict)];
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
  }
}
