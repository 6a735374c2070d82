import { Fault, hasCode, isFault } from "../../base/errors.ts";
import { needsNoApproval, isStricter } from "../../base/verdicts.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { PathPolicy } from "../../workspace/view.ts";
import type { TreePermissionRequest } from "./permission-requests.ts";
import type { Rates } from "../rules/rates.ts";
import { type Decision, type Rules, retryHint } from "../rules/rules.ts";

/** The rules as they meet one call: what was asked and allowed, and what is to be told in the end. */
export interface AccessContext extends PathPolicy {
  readonly rules: Rules;
  /** Somebody was asked and said yes to opening these. */
  allow(places: readonly SafePath[]): void;
  needsApproval(place: SafePath): boolean;
  /**
   * Counts an intent that is about to be performed against its limits. Returns how to take that back, or undefined when
   * a limit was used up since the decision.
   */
  count(finalDecision: Decision): (() => void) | undefined;
  /** An intent was performed. */
  recordPerformed(wants: readonly TreePermissionRequest[], decision: Decision): void;
  /** Files were replaced whose content the session had not seen: people are told, whatever the rules want told. */
  recordReplacedUnseen(places: readonly SafePath[]): void;
  /** What the call is about was judged: that tells more than what was opened for it and is as strict. */
  recordDecision(decision: Decision): void;
  /** What has to be told; undefined when there is nothing. */
  pendingNotice(): PerformedActs | undefined;
  /** The strictest that was decided about what was done, or what ended the call; undefined when nothing was asked. */
  decision(ended?: unknown): Decision | undefined;
}

/** What was done that has to be told. */
interface PerformedActs {
  readonly done: readonly Pick<TreePermissionRequest, "act" | "place" | "tool">[];
  readonly reasons: readonly string[];
}

/** Made for every call: what most calls do not need is made when it is. */
export function createAccessContext(rules: Rules, rates: Rates): AccessContext {
  let allowed: ReadonlySet<SafePath> = NONE;
  let opened: Set<SafePath> | undefined;
  let pending: PerformedActs | undefined;
  let strictest: Decision | undefined;
  let refusal: Decision | undefined;
  const seen = (decision: Decision): void => {
    if (!strictest || isStricter(decision.verdict, strictest.verdict)) strictest = decision;
  };
  const addNotice = (done: PerformedActs["done"], { reasons }: Pick<Decision, "reasons">): void => {
    pending = {
      done: [...(pending?.done ?? []), ...done],
      reasons: [...new Set([...(pending?.reasons ?? []), ...reasons])],
    };
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
      const decision = decide(place);
      const { verdict } = decision;
      // What may not be opened may be passed over: it was the end of the call only if that says so.
      if (verdict === "blocked") throw refusalFault("denied", spelled, (refusal = decision));
      if (how === "show") return;
      if (!needsNoApproval(verdict) && !allowed.has(place)) throw refusalFault("approval", place, decision);
      seen(decision);
      if (verdict === "autonomous" && !decision.rates) return;
      opened ??= new Set();
      if (opened.has(place)) return;
      opened.add(place);
      count(decision);
      if (verdict === "notify") addNotice([{ act: "read", place }], decision);
    },
    mayOpen: (place) => !rules.mayBe("approval", place) || allowed.has(place) || needsNoApproval(decide(place).verdict),
    mayHideBelow: rules.mayHideBelow,
    deniedBelow: (directory) => rules.blockedDirectoriesBelow(directory) as readonly SafePath[],
    allow: (places) => void (allowed = new Set([...allowed, ...places])),
    needsApproval: (place) => !allowed.has(place) && decide(place).verdict === "approval",
    count,
    recordPerformed(wants, decision) {
      if (decision.verdict !== "notify") return;
      const some = wants.filter((want) => rules.decide(want).verdict === "notify");
      addNotice(some.length > 0 ? some : wants, decision);
    },
    recordReplacedUnseen(places) {
      const before = new Set(pending?.done.map(({ place }) => place));
      const more = places.filter((place) => !before.has(place)).map((place) => ({ act: "write" as const, place }));
      if (places.length > 0) addNotice(more, REPLACED_UNSEEN);
    },
    recordDecision(decision) {
      seen(decision);
      if (decision.verdict === strictest?.verdict && decision.origins?.length) strictest = decision;
    },
    pendingNotice: () => pending,
    decision: (ended) => (strictest?.verdict !== "blocked" && isRefusal(ended) ? refusal : strictest),
  };
}

/**
 * The rules as they meet what outlives a call: as they are at each moment, not as they were. What somebody said yes to
 * stays open until it is blocked.
 */
export function createLivePathPolicy(
  rules: () => Rules,
  { rules: then, needsApproval }: AccessContext,
  asked: SafePath,
): PathPolicy {
  const decide = (place: SafePath): Decision => rules().decide({ act: "read", place });
  // Asked of tens of thousands of directories, of which nothing need be remembered.
  const isSurelyFree = (place: SafePath): boolean => !rules().mayBe("approval", place);
  const wasAllowed = (place: SafePath): boolean =>
    place === asked || (then.decide({ act: "read", place }).verdict === "approval" && !needsApproval(place));
  const isOpen = (place: SafePath, { verdict }: Decision): boolean =>
    needsNoApproval(verdict) || (verdict === "approval" && wasAllowed(place));
  return {
    checkAccess(place, how, spelled = place) {
      if (isSurelyFree(place)) return;
      const decision = decide(place);
      if (decision.verdict === "blocked" || (how === "open" && !isOpen(place, decision)))
        throw refusalFault("denied", spelled, decision);
    },
    mayOpen: (place) => isSurelyFree(place) || isOpen(place, decide(place)),
    mayHideBelow: (directory) => rules().mayHideBelow(directory),
    deniedBelow: (directory) => rules().blockedDirectoriesBelow(directory) as readonly SafePath[],
  };
}

const NONE: ReadonlySet<SafePath> = new Set();

const REPLACED_UNSEEN = { reasons: ["replaced content that this session had not read; undo brings it back"] };

const refusalFault = (code: "denied" | "approval", place: SafePath, decision: Decision): Fault =>
  new Fault(code, `Cannot open ${JSON.stringify(place)}: ${decision.reasons.join("; ")}`, {
    verdict: decision.verdict,
    place,
    ...retryHint(decision),
  });

const isRefusal = (error: unknown): boolean => isFault(error) && error.details["verdict"] === "blocked";

/** The place that a call came across and may not open before somebody says yes. */
export const approvalQuestionOf = (error: unknown): SafePath | undefined =>
  hasCode(error, "approval") ? (error.details["place"] as SafePath) : undefined;
