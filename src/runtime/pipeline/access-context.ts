import { Fault, hasCode, isFault } from "../../base/errors.ts";
import { isFree, isStricter } from "../../base/verdicts.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { PathPolicy } from "../../workspace/view.ts";
import type { TreePermissionRequest } from "./policy.ts";
import type { Rates } from "../rules/rates.ts";
import { type Decision, type Rules, nextStepText } from "../rules/rules.ts";

/** The rules as they meet one call: what was asked and allowed, and what is to be told in the end. */
export interface AccessContext extends PathPolicy {
  readonly rules: Rules;
  /** Somebody was asked and said yes to opening these. */
  allow(places: readonly SafePath[]): void;
  needsYes(place: SafePath): boolean;
  /**
   * Counts an intent that is about to be performed against its limits. Returns how to take that back, or undefined when
   * a limit was used up since the decision.
   */
  count(decision: Decision): (() => void) | undefined;
  /** An intent was performed. */
  performed(wants: readonly TreePermissionRequest[], decision: Decision): void;
  /** Files were replaced whose content the session had not seen: people are told, whatever the rules want told. */
  replacedUnseen(places: readonly SafePath[]): void;
  /** What the call is about was judged: that tells more than what was opened for it and is as strict. */
  judged(decision: Decision): void;
  /** What has to be told; undefined when there is nothing. */
  notice(): Told | undefined;
  /** The strictest that was decided about what was done, or what ended the call; undefined when nothing was asked. */
  decision(ended?: unknown): Decision | undefined;
}

/** What was done that has to be told. */
interface Told {
  readonly done: readonly Pick<TreePermissionRequest, "act" | "place" | "tool">[];
  readonly reasons: readonly string[];
}

/** Made for every call: what most calls do not need is made when it is. */
export function createAccessContext(rules: Rules, rates: Rates): AccessContext {
  let allowed: ReadonlySet<SafePath> = NONE;
  let opened: Set<SafePath> | undefined;
  let told: Told | undefined;
  let strictest: Decision | undefined;
  let refusal: Decision | undefined;
  const seen = (decision: Decision): void => {
    if (!strictest || isStricter(decision.verdict, strictest.verdict)) strictest = decision;
  };
  const tell = (done: Told["done"], { reasons }: Pick<Decision, "reasons">): void => {
    told = { done: [...(told?.done ?? []), ...done], reasons: [...new Set([...(told?.reasons ?? []), ...reasons])] };
  };
  const count = ({ rates: limits = [] }: Decision): (() => void) | undefined => {
    if (limits.some((limit) => !limit.wasExceeded && rates.isExceeded(limit))) return undefined;
    const undo = limits.map((limit) => rates.count(limit));
    return () => undo.forEach((each) => each());
  };
  const decide = (place: SafePath): Decision => rules.decide({ act: "read", place });
  return {
    rules,
    judge(place, how, spelled = place) {
      if (how === "show" && !rules.mightBe("blocked", place)) return;
      const decision = decide(place);
      const { verdict } = decision;
      // What may not be opened may be passed over: it was the end of the call only if that says so.
      if (verdict === "blocked") throw refused("denied", spelled, (refusal = decision));
      if (how === "show") return;
      if (!isFree(verdict) && !allowed.has(place)) throw refused("approval", place, decision);
      seen(decision);
      if (verdict === "autonomous" && !decision.rates) return;
      opened ??= new Set();
      if (opened.has(place)) return;
      opened.add(place);
      count(decision);
      if (verdict === "notify") tell([{ act: "read", place }], decision);
    },
    opens: (place) => !rules.mightBe("approval", place) || allowed.has(place) || isFree(decide(place).verdict),
    distinguishes: rules.mightHideBelow,
    closedBelow: (directory) => rules.closedBelow(directory) as readonly SafePath[],
    allow: (places) => void (allowed = new Set([...allowed, ...places])),
    needsYes: (place) => !allowed.has(place) && decide(place).verdict === "approval",
    count,
    performed(wants, decision) {
      if (decision.verdict !== "notify") return;
      const some = wants.filter((want) => rules.decide(want).verdict === "notify");
      tell(some.length > 0 ? some : wants, decision);
    },
    replacedUnseen(places) {
      const before = new Set(told?.done.map(({ place }) => place));
      const more = places.filter((place) => !before.has(place)).map((place) => ({ act: "write" as const, place }));
      if (places.length > 0) tell(more, UNSEEN);
    },
    judged(decision) {
      seen(decision);
      if (decision.verdict === strictest?.verdict && decision.origins?.length) strictest = decision;
    },
    notice: () => told,
    decision: (ended) => (strictest?.verdict !== "blocked" && isRefusal(ended) ? refusal : strictest),
  };
}

/**
 * The rules as they meet what outlives a call: as they are at each moment, not as they were. What somebody said yes to
 * stays open until it is blocked.
 */
export function createStandingPathPolicy(
  rules: () => Rules,
  { rules: then, needsYes }: AccessContext,
  asked: SafePath,
): PathPolicy {
  const decide = (place: SafePath): Decision => rules().decide({ act: "read", place });
  // Asked of tens of thousands of directories, of which nothing need be remembered.
  const isSurelyFree = (place: SafePath): boolean => !rules().mightBe("approval", place);
  const wasAllowed = (place: SafePath): boolean =>
    place === asked || (then.decide({ act: "read", place }).verdict === "approval" && !needsYes(place));
  const isOpen = (place: SafePath, { verdict }: Decision): boolean =>
    isFree(verdict) || (verdict === "approval" && wasAllowed(place));
  return {
    judge(place, how, spelled = place) {
      if (isSurelyFree(place)) return;
      const decision = decide(place);
      if (decision.verdict === "blocked" || (how === "open" && !isOpen(place, decision)))
        throw refused("denied", spelled, decision);
    },
    opens: (place) => isSurelyFree(place) || isOpen(place, decide(place)),
    distinguishes: (directory) => rules().mightHideBelow(directory),
    closedBelow: (directory) => rules().closedBelow(directory) as readonly SafePath[],
  };
}

const NONE: ReadonlySet<SafePath> = new Set();

const UNSEEN = { reasons: ["replaced content that this session had not read; undo brings it back"] };

const refused = (code: "denied" | "approval", place: SafePath, decision: Decision): Fault =>
  new Fault(code, `Cannot open ${JSON.stringify(place)}: ${decision.reasons.join("; ")}`, {
    verdict: decision.verdict,
    place,
    ...nextStepText(decision),
  });

const isRefusal = (error: unknown): boolean => isFault(error) && error.details["verdict"] === "blocked";

/** The place that a call came across and may not open before somebody says yes. */
export const approvalQuestionOf = (error: unknown): SafePath | undefined =>
  hasCode(error, "approval") ? (error.details["place"] as SafePath) : undefined;
