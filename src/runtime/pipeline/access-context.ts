import { needsNoApproval, isStricter } from "../../base/verdicts.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { PathPolicy } from "../../workspace/view.ts";
import type { RateCounters } from "../rules/rate-limits.ts";
import type { Decision } from "../rules/decision.ts";
import type { Rules } from "../rules/rules.ts";
import type { TreePermissionRequest } from "../rules/permission-request.ts";
import { isRefusal, refusalFault } from "./refusals.ts";

/** Applies the rules to one call, and remembers what was allowed and decided and what people must be notified of. */
export interface AccessContext extends PathPolicy {
  readonly rules: Rules;
  /** Lets the call open these places from now on, because somebody was asked and said yes. */
  allow(places: readonly SafePath[]): void;
  needsApproval(place: SafePath): boolean;
  /**
   * Counts an intent that is about to be performed against its limits. Returns how to take that back, or undefined when
   * a limit was used up since the decision.
   */
  count(finalDecision: Decision): (() => void) | undefined;
  /** Adds acts that were performed to the notice, with the reasons why people are notified of them. */
  recordPerformed(done: PerformedActs["done"], reasons: readonly string[]): void;
  /** Adds files that were replaced although the session had not seen their content. The rules cannot turn that off. */
  recordReplacedUnseen(places: readonly SafePath[]): void;
  /** Prefers the decision about the intent itself over an equally strict one about a file that was opened for it. */
  recordDecision(decision: Decision): void;
  /** Returns undefined when nobody has to be notified. */
  pendingNotice(): PerformedActs | undefined;
  /** Returns the strictest decision about what was done; undefined when no rule was asked. */
  decision(): Decision | undefined;
  /** Returns the decision that ended a call with this error; the strictest one where another cause ended it. */
  decisionThatEnded(error: unknown): Decision | undefined;
}

/** Lists acts that people are notified of, with the reasons. */
interface PerformedActs {
  readonly done: readonly Pick<TreePermissionRequest, "act" | "place" | "tool" | "command">[];
  readonly reasons: readonly string[];
}

/** Is created for every call, so it allocates lazily what most calls do not need. */
export function createAccessContext(rules: Rules, rates: RateCounters): AccessContext {
  let allowed: ReadonlySet<SafePath> = NONE;
  let opened: Set<SafePath> | undefined;
  let strictest: Decision | undefined;
  let refusal: Decision | undefined;
  let pending: PerformedActs | undefined;
  const recordPerformed = (done: PerformedActs["done"], reasons: readonly string[]): void => {
    pending = {
      done: [...(pending?.done ?? []), ...done],
      reasons: [...new Set([...(pending?.reasons ?? []), ...reasons])],
    };
  };
  const keepStrictest = (decision: Decision): void => {
    if (!strictest || isStricter(decision.verdict, strictest.verdict)) strictest = decision;
  };
  const count = ({ rates: limits = [] }: Decision): (() => void) | undefined => {
    if (limits.some((limit) => !limit.wasExceeded && rates.isExceeded(limit))) return undefined;
    const undo = limits.map((limit) => rates.count(limit));
    return () => undo.forEach((each) => each());
  };
  const decide = (place: SafePath): Decision => rules.decide({ act: "read", place });
  return {
    rules,
    checkAccess(place, how, spelled = place) {
      if (how === "show" && !rules.mayBe("blocked", place)) return;
      const decision = rules.decide({ act: "read", place });
      const { verdict } = decision;
      // A tool may skip what it cannot open: the refusal ends the call only if the call fails with it.
      if (verdict === "blocked") throw refusalFault("denied", spelled, (refusal = decision));
      if (how === "show") return;
      if (!needsNoApproval(verdict) && !allowed.has(place)) throw refusalFault("approval", place, decision);
      keepStrictest(decision);
      if (verdict === "autonomous" && !decision.rates) return;
      opened ??= new Set();
      if (opened.has(place)) return;
      opened.add(place);
      count(decision);
      if (verdict === "notify") recordPerformed([{ act: "read", place }], decision.reasons);
    },
    mayOpen: (place) => !rules.mayBe("approval", place) || allowed.has(place) || needsNoApproval(decide(place).verdict),
    mayHideBelow: rules.mayHideBelow,
    deniedBelow: (directory) => rules.blockedDirectoriesBelow(directory) as readonly SafePath[],
    allow: (places) => void (allowed = new Set([...allowed, ...places])),
    needsApproval: (place) => !allowed.has(place) && decide(place).verdict === "approval",
    count,
    recordPerformed,
    recordReplacedUnseen(places) {
      const reported = new Set(pending?.done.map(({ place }) => place));
      const others = places.filter((place) => !reported.has(place)).map((place) => ({ act: "write" as const, place }));
      if (places.length > 0) recordPerformed(others, [REPLACED_UNSEEN]);
    },
    recordDecision(decision) {
      keepStrictest(decision);
      if (decision.verdict === strictest?.verdict && decision.origins?.length) strictest = decision;
    },
    pendingNotice: () => pending,
    decision: () => strictest,
    decisionThatEnded: (error) => (strictest?.verdict !== "blocked" && isRefusal(error) ? refusal : strictest),
  };
}

const NONE: ReadonlySet<SafePath> = new Set();

const REPLACED_UNSEEN = "replaced content that this session had not read; undo brings it back";
