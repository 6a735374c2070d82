import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { type Act, ACTS, type ChannelName, needsNoApproval, strictest, type Verdict } from "../../base/verdicts.ts";
import type { Layer, WrittenRule } from "../../config/layer.ts";
import { WORKSPACE_FILE } from "../../config/places.ts";
import type { RuleEntry } from "../../config/rule.ts";
import { visible } from "../../text/quote.ts";
import type { DecidedRate, Rates } from "./rates.ts";
import { scopeWithin } from "./rule-scope.ts";
import { coversAct, type CompiledRule, compileRule, type PermissionRequest } from "./compile-rule.ts";
import { templateRules } from "./templates.ts";

/** A place that is out of reach whatever the rules say. */
export interface Guard {
  readonly within: string;
  readonly acts: readonly Act[];
  readonly reason: string;
}

/** A yes that was given for longer than once: it answers `approval`, never `blocked`. */
export interface Grant extends Omit<WrittenRule, "decide"> {
  readonly expiresMs?: number | undefined;
  /** This place alone, where a pattern would mean what is in it as well. */
  readonly only?: string | undefined;
}

export interface RuleSources {
  readonly roots: readonly string[];
  readonly layers: readonly Layer[];
  readonly guards: readonly Guard[];
  readonly grants?: readonly Grant[];
  /** Secrets are shown as handles, so that templates need not ask for settings. */
  readonly hasRedaction?: boolean;
  /** What holds besides the built-in rules where no operator says otherwise. */
  readonly defaults?: readonly RuleEntry[];
}

export interface Decision {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
  /** Where the rules that decided are written; absent where none did. */
  readonly origins?: readonly string[];
  /** What counts towards limits once it is done. */
  readonly rates?: readonly DecidedRate[];
  /** It is only limits that are used up: how long that lasts. */
  readonly passesInMs?: number;
  /** Who may say yes, where the rules care. */
  readonly channels?: readonly ChannelName[];
}

/** A rule that speaks about a want, and whether it has a say or yields. */
export interface MatchedRule {
  readonly rule: CompiledRule;
  readonly isInForce: boolean;
  /** Its verdict as things are: a limit may be used up. */
  readonly verdict: Verdict;
  /** How long that limit stays used up. */
  readonly passesInMs?: number;
}

/** All rules of a session, ready to be asked. Never changes: new rules are a new value. */
export interface Rules {
  /** The strictest rule in force decides; what no rule speaks about is blocked. */
  decide(want: PermissionRequest): Decision;
  matchingRules(want: PermissionRequest): readonly MatchedRule[];
  /** Whether reading a place might be decided so strictly. Quick: listings and walks ask it of every entry. */
  mayBe(verdict: "approval" | "blocked", place: string): boolean;
  /** Whether something below a directory might be blocked for reading. Quick, too. */
  mayHideBelow(directory: string): boolean;
  /** Directories below one that are out of reach as a whole: nobody need look for anything there. */
  blockedDirectoriesBelow(directory: string): readonly string[];
  /** The strictest verdict that something below a directory might get. */
  strictestBelow(act: Act, directory: string): Verdict;
  /** What guards say of places below one that is, or will be, a link: whatever the link leads to, they are reached through it. */
  guardDecisionsBelow(act: Act, link: string): readonly Decision[];
  /** Whether a rule for reading speaks of things below a directory because of where that is. */
  dependsOnLocation(directory: string): boolean;
  readonly compiledRules: readonly CompiledRule[];
  /** What cannot be used of the files, one sentence each: while there is any, nothing is changed. */
  readonly unusable: readonly string[];
}

export function createRules(sources: RuleSources, rates: Rates, nowMs: () => number = Date.now): Rules {
  const terms = compiledRulesOf(sources);
  const grants = grantsOf(sources);
  const known = byAct(() => new Map<string, Decision>());
  const about = byAct((act) => terms.filter((term) => coversAct(term.acts, act)));
  const closed = sources.guards.flatMap(({ acts, within }) => (acts.includes("read") ? [within] : []));
  const blocking = about.read.filter((term) => strictestVerdictOf(term) === "blocked");
  const stopping = about.read.filter((term) => !needsNoApproval(strictestVerdictOf(term)));
  const spokenOf = (want: PermissionRequest): readonly MatchedRule[] =>
    matchedRulesOf(
      about[want.act].filter((term) => term.appliesTo(want, nowMs())),
      want.act,
      rates,
    );
  // Of most places no rule speaks but those for all places.
  const usual = byAct((act) => decisionEverywhere(about[act], act, rates));
  const special = terms.filter(({ scope }) => !scope.isEverywhere);
  const specialAt = memoizeLastTwo((place) => special.filter(({ scope }) => scope.matches(place)));
  const usualFor = ({ act, place }: PermissionRequest): Decision | undefined =>
    specialAt(place).some(({ acts }) => coversAct(acts, act)) ? undefined : usual[act];
  return {
    decide(want) {
      const asUsual = usualFor(want);
      if (asUsual) return asUsual;
      const places = known[want.act];
      const before = want.isInTree ? undefined : places.get(want.place);
      if (before) return before;
      const decision = decisionOf(spokenOf(want), want.act);
      if (!want.isInTree && isCacheable(decision, about[want.act], want.place, grants))
        cacheDecision(places, want.place, decision);
      return withGrants(decision, want, grants, nowMs());
    },
    matchingRules: spokenOf,
    mayBe: (verdict, place) => (verdict === "blocked" ? blocking : stopping).some(({ scope }) => scope.matches(place)),
    mayHideBelow: (directory) => blocking.some(({ scope }) => scope.mayMatchBelow(directory)),
    blockedDirectoriesBelow: (directory) => closed.filter((place) => isWithin(place, directory)),
    strictestBelow: (act, directory) =>
      about[act]
        .filter((term) => term.appliesInTrees && term.scope.mayMatchBelow(directory))
        .map(strictestVerdictOf)
        .reduce(strictest, "autonomous"),
    guardDecisionsBelow: (act, link) =>
      about[act]
        .filter(({ kind, scope }) => kind === "guard" && scope.mayMatchBelow(link))
        .map(({ verdict, reason, origin }) => ({ verdict, reasons: [reason], origins: [origin] })),
    dependsOnLocation: (directory) =>
      about.read.some(({ scope, verdict }) => !needsNoApproval(verdict) && scope.dependsOnLocation(directory)),
    compiledRules: terms,
    unusable: sources.layers.flatMap(({ unusable }) => (unusable ? (blockChangesRule(unusable).reason ?? []) : [])),
  };
}

/** One call asks for several acts at one place or two. */
function memoizeLastTwo<T>(find: (place: string) => T): (place: string) => T {
  let last: { readonly place: string; readonly found: T } | undefined;
  let before = last;
  return (place) => {
    if (last?.place === place) return last.found;
    const again = before?.place === place ? before : undefined;
    before = last;
    last = again ?? { place, found: find(place) };
    return last.found;
  };
}

const byAct = <T>(make: (act: Act) => T): Readonly<Record<Act, T>> =>
  Object.fromEntries(ACTS.map((act) => [act, make(act)])) as Record<Act, T>;

function compiledRulesOf({ roots, layers, guards, hasRedaction, defaults = [] }: RuleSources): readonly CompiledRule[] {
  const builtIn = [...templateRules("personal"), ...defaults].map((rule) =>
    compileRule({ ...rule, origin: "built-in" }, { layer: "built-in", kind: "default", roots }),
  );
  return [
    ...guards.map(compiledGuard),
    ...layers.flatMap((layer) => compiledRulesOfLayer(layer, layer.roots ?? roots, hasRedaction)),
    ...builtIn,
  ];
}

function compiledRulesOfLayer(
  { name: layer, rules, template, unusable }: Layer,
  roots: readonly string[],
  isShielded: boolean | undefined,
): readonly CompiledRule[] {
  if (unusable) return [compileRule(blockChangesRule(unusable), { layer, kind: "rule", roots })];
  const fromTemplate = template ? templateRules(template.name, isShielded) : [];
  const origin = `template ${template?.name}, ${template?.origin}`;
  return [
    ...rules.map((rule) => compileRule(rule, { layer, kind: "rule", roots })),
    ...fromTemplate.map((rule) => compileRule({ ...rule, origin }, { layer, kind: "template", roots })),
  ];
}

/** What a file wanted to block is not known: everything but reading is. */
const blockChangesRule = ({ reason, file }: NonNullable<Layer["unusable"]>): WrittenRule => ({
  act: ACTS.filter((act) => act !== "read"),
  decide: "blocked",
  reason: `nothing can be changed until ${WORKSPACE_FILE} is mended or removed: ${visible(reason)}`,
  origin: file,
});

function compiledGuard({ within, acts, reason }: Guard): CompiledRule {
  const reach = scopeWithin(within);
  return {
    layer: "built-in",
    kind: "guard",
    verdict: "blocked",
    reason,
    origin: "built-in",
    entry: { act: [...acts], decide: "blocked" },
    acts,
    scope: reach,
    appliesInTrees: true,
    isStatic: true,
    appliesTo: ({ act, place }) => coversAct(acts, act) && reach.matches(place),
  };
}

function grantsOf({ grants = [], roots }: RuleSources): readonly CompiledGrant[] {
  return grants.map(({ expiresMs, only, tool, ...rule }) => ({
    ...compileRule({ ...rule, decide: "notify" }, { layer: "session", kind: "rule", roots }),
    expiresMs,
    only,
    tool,
  }));
}

type CompiledGrant = CompiledRule & Pick<Grant, "expiresMs" | "only" | "tool">;

/** Who yields to whom. Only rules of those who set the limits put the defaults aside; below them, rules are added. */
function matchedRulesOf(terms: readonly CompiledRule[], act: Act, rates: Rates): readonly MatchedRule[] {
  return terms.map((term) => ({
    rule: term,
    isInForce: !terms.some((other) => isOverriddenBy(term, other, act)),
    verdict: term.verdict,
    ...(term.rate &&
      rates.isExceeded(term.rate) && { verdict: term.rate.onExceed, passesInMs: rates.exceededMs(term.rate) }),
  }));
}

function isOverriddenBy(term: CompiledRule, other: CompiledRule, act: Act): boolean {
  if (!namesAct(other.acts, act)) return false;
  if (term.kind === "template") return other.kind === "rule" && other.layer === term.layer;
  if (term.kind !== "default") return false;
  return (other.kind === "rule" || other.kind === "template") && OPERATOR_LAYERS.includes(other.layer);
}

const OPERATOR_LAYERS: readonly CompiledRule["layer"][] = ["system", "organisation", "user"];

/** Whoever lets things be deleted has not said that they may be gone for good. */
const namesAct = (acts: readonly Act[], act: Act): boolean =>
  acts.includes(act) || (act !== "erase" && coversAct(acts, act));

/** What is decided wherever no rule for some places speaks; undefined where it depends on more than the place. */
function decisionEverywhere(terms: readonly CompiledRule[], act: Act, rates: Rates): Decision | undefined {
  const everywhere = terms.filter(({ scope }) => scope.isEverywhere);
  if (!everywhere.every(({ isStatic }) => isStatic)) return undefined;
  const decision = decisionOf(matchedRulesOf(everywhere, act, rates), act);
  return decision.verdict === "approval" ? undefined : decision;
}

function decisionOf(spoken: readonly MatchedRule[], act: Act): Decision {
  const inForce = spoken.filter(({ isInForce }) => isInForce);
  if (inForce.length === 0) return { verdict: "blocked", reasons: [`no rule allows to ${act} it`] };
  return strictestDecision(
    inForce.map((each) => {
      const { verdict, rule, passesInMs } = each;
      const { origin, rate, entry } = rule;
      return {
        verdict,
        reasons: [reasonOf(each)],
        origins: [origin],
        ...(rate && { rates: [{ ...rate, wasExceeded: passesInMs !== undefined }] }),
        ...(passesInMs !== undefined && { passesInMs }),
        ...(entry.channels && { channels: entry.channels }),
      };
    }),
  );
}

/** Whoever is refused for the moment is told so: later it may be allowed. */
function reasonOf({ rule: { reason, entry, verdict }, verdict: now }: MatchedRule): string {
  const { rate_limit: limit } = entry;
  return limit && now !== verdict ? `${reason}; at most ${limit.max} in ${limit.window}, and that is used up` : reason;
}

/** The strictest of several decisions. */
export function strictestDecision(decisions: readonly Decision[]): Decision {
  const verdict = decisions.reduce<Verdict>((worst, each) => strictest(worst, each.verdict), "autonomous");
  const deciding = decisions.filter((each) => each.verdict === verdict);
  const [first] = deciding;
  if (first && deciding.length === 1 && decisions.every(({ rates }) => rates === undefined)) return first;
  const rates = decisions.flatMap((each) => each.rates ?? []);
  const channels = commonChannels(deciding.map((each) => each.channels));
  const passesInMs = Math.max(...deciding.map((each) => each.passesInMs ?? Infinity));
  return {
    verdict,
    reasons: [...new Set(deciding.flatMap(({ reasons }) => reasons))],
    origins: [...new Set(deciding.flatMap(({ origins = [] }) => origins))],
    ...(rates.length > 0 && { rates }),
    ...(Number.isFinite(passesInMs) && { passesInMs }),
    ...(channels && { channels }),
  };
}

/** What whoever is refused can do, where that passes. */
export function retryHint({ passesInMs }: Decision): { readonly hint?: string; readonly retry_after_s?: number } {
  if (passesInMs === undefined) return {};
  const seconds = Math.ceil(passesInMs / 1000);
  return { hint: `Try again in ${seconds} s: only the limit is used up`, retry_after_s: seconds };
}

/** Those that everybody who cares would listen to. */
function commonChannels(lists: readonly (readonly ChannelName[] | undefined)[]): readonly ChannelName[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  return first?.filter((name) => others.every((list) => list.includes(name)));
}

function withGrants(
  decision: Decision,
  want: PermissionRequest,
  grants: readonly CompiledGrant[],
  nowMs: number,
): Decision {
  if (decision.verdict !== "approval") return decision;
  const grant = grants.find(
    ({ expiresMs = Infinity, only = want.place, acts, tool, ...term }) =>
      nowMs < expiresMs &&
      only === want.place &&
      // To the letter: in a list of tools the same word might mean a plugin, or another spelling.
      tool === want.tool?.name &&
      namesAct(acts, want.act) &&
      term.appliesTo(want, nowMs),
  );
  return grant
    ? {
        verdict: "notify",
        reasons: [grant.reason],
        origins: [grant.origin],
        ...(decision.rates && { rates: decision.rates }),
      }
    : decision;
}

const strictestVerdictOf = ({ verdict, rate }: CompiledRule): Verdict =>
  rate ? strictest(verdict, rate.onExceed) : verdict;

/** Whether the place alone decided, so that the same will be decided the next time. */
const isCacheable = (
  { verdict }: Decision,
  terms: readonly CompiledRule[],
  place: string,
  grants: readonly CompiledGrant[],
): boolean =>
  (verdict !== "approval" || grants.length === 0) &&
  terms.every(({ isStatic, scope }) => isStatic || !scope.matches(place));

function cacheDecision(places: Map<string, Decision>, place: string, decision: Decision): void {
  if (places.size >= LIMITS.cachedVerdicts) places.clear();
  places.set(place, decision);
}
