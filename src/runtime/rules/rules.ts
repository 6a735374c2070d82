import { mayBeInArchive, placesBehind } from "../../base/archive-path.ts";
import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { type Act, ACTS, type ChannelName, needsNoApproval, strictest, type Verdict } from "../../base/verdicts.ts";
import type { Layer, RuleWithOrigin } from "../../config/layer.ts";
import { WORKSPACE_FILE } from "../../config/places.ts";
import type { RuleEntry } from "../../config/rule.ts";
import { visible } from "../../text/quote.ts";
import type { Decision } from "./decision.ts";
import { decideBringingBack, decideChangeByCommand } from "./git-files.ts";
import type { RateCounters } from "./rate-limits.ts";
import { type RuleScope, scopeWithin, unitedScope } from "./rule-scope.ts";
import { coversAct, type CompiledRule, compileRule } from "./compile-rule.ts";
import type { PermissionRequest } from "./permission-request.ts";
import { templateRules } from "./templates.ts";

/** Blocks acts at a place and in it. No rule can override it. */
export interface Guard {
  readonly within: string;
  readonly acts: readonly Act[];
  readonly reason: string;
}

/** Holds a yes that was given for longer than once. It satisfies `approval`, never `blocked`. */
export interface Grant extends Omit<RuleWithOrigin, "decide"> {
  readonly expiresMs?: number | undefined;
  /** Limits the grant to this place alone, where a pattern would include what is in it. */
  readonly only?: string | undefined;
  /** Names the plugin that the tool is from; absent for native tools and those of the program. */
  readonly plugin?: string | undefined;
  /** Lists the real paths of the roots that it was given for. It holds for what lies in them, and nowhere else. */
  readonly roots: readonly string[];
}

export interface RuleSources {
  readonly roots: readonly string[];
  readonly layers: readonly Layer[];
  readonly guards: readonly Guard[];
  readonly grants?: readonly Grant[];
  /** Says that secrets are shown as placeholders, so that templates need not ask for settings. */
  readonly hasRedaction?: boolean;
  /** Adds rules to the built-in ones, which rules of the operator override as well. */
  readonly defaults?: readonly RuleEntry[];
  /** Adjusts what the rules decide about running a program. */
  readonly decideExec?: ((request: PermissionRequest, decision: Decision) => Decision) | undefined;
}

/** Pairs a rule that matches a request with whether it is in force or overridden. */
export interface MatchedRule {
  readonly rule: CompiledRule;
  readonly isInForce: boolean;
  /** The current verdict, which is stricter while a limit is used up. */
  readonly verdict: Verdict;
  /** Says how long that limit stays used up. */
  readonly passesInMs?: number;
}

/**
 * Decides by all rules of a session. It is immutable: a reload creates a new value. A read inside an archive is judged
 * by the strictest of three places: the path itself, the archive, and the inner name as if it lay beside the archive. A
 * real directory whose name ends in "!" is judged so as well, which is never too lax.
 */
export interface Rules {
  /** Returns the decision of the strictest rule in force. Blocks what no rule matches. */
  decide(request: PermissionRequest): Decision;
  matchingRules(request: PermissionRequest): readonly MatchedRule[];
  /**
   * Returns false where reading a place surely gets no such verdict. It is fast, since walks call it for every entry.
   */
  mayBe(verdict: "approval" | "blocked", place: string): boolean;
  /** Returns true where something below a directory might be blocked for reading. It is fast, too. */
  mayHideBelow(directory: string): boolean;
  /** Lists directories below one that guards block completely, so that walks can skip them. */
  blockedDirectoriesBelow(directory: string): readonly string[];
  /** Returns the strictest verdict that something below a directory might get, where only these names are in it. */
  strictestBelow(act: Act, directory: string, names?: readonly string[]): Verdict;
  /**
   * Returns the decisions of guards for places below one that is or will be a link, since they are reached through it.
   */
  guardDecisionsBelow(act: Act, link: string): readonly Decision[];
  /** Returns true where a rule for reading matches things below a directory because of its location. */
  dependsOnLocation(directory: string): boolean;
  readonly compiledRules: readonly CompiledRule[];
  /** Lists problems of the configuration files, a sentence each. While there is one, all changes are blocked. */
  readonly unusable: readonly string[];
}

export function createRules(sources: RuleSources, rates: RateCounters, nowMs: () => number = Date.now): Rules {
  const rules = compiledRulesOf(sources);
  const grants = grantsOf(sources);
  const cache = byAct(() => new Map<string, Decision>());
  const about = byAct((act) => rules.filter((rule) => coversAct(rule.acts, act)));
  const everInForce = byAct((act) => about[act].filter((rule) => !isAlwaysOverridden(rule, about[act], act)));
  const blockedPlaces = sources.guards.flatMap(({ acts, within }) => (acts.includes("read") ? [within] : []));
  const blocking = unitedScope(scopesOf(about.read.filter((rule) => strictestVerdictOf(rule) === "blocked")));
  const stopping = unitedScope(scopesOf(about.read.filter((rule) => !needsNoApproval(strictestVerdictOf(rule)))));
  const matchesOf = (request: PermissionRequest): readonly MatchedRule[] =>
    matchedRulesOf(
      about[request.act].filter((rule) => rule.appliesTo(request, nowMs())),
      request.act,
      rates,
    );
  // The fast path: most places match only rules that apply everywhere, and these are decided once per act.
  const everywhere = byAct((act) => decisionEverywhere(about[act], act, rates));
  const special = rules.filter(({ scope }) => !scope.isEverywhere);
  const specialPlaces = unitedScope(scopesOf(special));
  const isSpecialAt = (place: string, act: Act): boolean =>
    specialPlaces.matches(place) && special.some(({ scope, acts }) => coversAct(acts, act) && scope.matches(place));
  const everywhereFor = ({ act, place }: PermissionRequest): Decision | undefined =>
    isSpecialAt(place, act) ? undefined : everywhere[act];
  const decideAt = (request: PermissionRequest): Decision => {
    const places = cache[request.act];
    const cached = request.isInTree ? undefined : places.get(request.place);
    if (cached) return cached;
    const decision = decisionOf(matchesOf(request), request.act);
    if (!request.isInTree && isCacheable(decision, about[request.act], request.place, grants))
      cacheDecision(places, request.place, decision);
    return withGrants(decision, request, grants, nowMs());
  };
  return {
    decide(request) {
      const decision = everywhereFor(request) ?? decideAt(request);
      if (request.act === "read" && mayBeInArchive(request.place)) {
        const behind = requestsBehind(request).map((each) => everywhereFor(each) ?? decideAt(each));
        return strictestDecision([decision, ...behind]);
      }
      if (request.act === "exec" && sources.decideExec) return sources.decideExec(request, decision);
      const own = request.isBroughtBack ? decideBringingBack(request, decision, decideAt) : decision;
      return request.isByCommand ? decideChangeByCommand(request, own, decideAt) : own;
    },
    matchingRules: matchesOf,
    mayBe(verdict, place) {
      const scope = verdict === "blocked" ? blocking : stopping;
      return scope.matches(place) || (mayBeInArchive(place) && placesBehind(place).some((each) => scope.matches(each)));
    },
    mayHideBelow: (directory) =>
      blocking.mayMatchBelow(directory) ||
      (mayBeInArchive(directory) && placesBehind(directory).some((each) => blocking.mayMatchBelow(each))),
    blockedDirectoriesBelow: (directory) => blockedPlaces.filter((place) => isWithin(place, directory)),
    strictestBelow: (act, directory, names) => strictestVerdictBelow(everInForce[act], directory, names),
    guardDecisionsBelow: (act, link) => guardDecisions(about[act], link),
    dependsOnLocation: (directory) =>
      about.read.some(({ scope, verdict }) => !needsNoApproval(verdict) && scope.dependsOnLocation(directory)),
    compiledRules: rules,
    unusable: sources.layers.flatMap(({ unusable }) => (unusable ? (blockChangesRule(unusable).reason ?? []) : [])),
  };
}

/** Lists reads that a read inside an archive is judged by as well. */
const requestsBehind = (request: PermissionRequest): readonly PermissionRequest[] =>
  placesBehind(request.place).map((place) => ({ ...request, place }));

const strictestVerdictBelow = (
  rules: readonly CompiledRule[],
  directory: string,
  names: readonly string[] | undefined,
): Verdict =>
  rules
    .filter((rule) => rule.appliesInTrees && rule.scope.mayMatchBelow(directory, names))
    .map(strictestVerdictOf)
    .reduce(strictest, "autonomous");

const guardDecisions = (rules: readonly CompiledRule[], link: string): readonly Decision[] =>
  rules
    .filter(({ kind, scope }) => kind === "guard" && scope.mayMatchBelow(link))
    .map(({ verdict, reason, origin }) => ({ verdict, reasons: [reason], origins: [origin] }));

const scopesOf = (rules: readonly CompiledRule[]): readonly RuleScope[] => rules.map(({ scope }) => scope);

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
  hasRedaction: boolean | undefined,
): readonly CompiledRule[] {
  if (unusable) return [compileRule(blockChangesRule(unusable), { layer, kind: "rule", roots })];
  const fromTemplate = template ? templateRules(template.name, hasRedaction) : [];
  const origin = `template ${template?.name}, ${template?.origin}`;
  return [
    ...rules.map((rule) => compileRule(rule, { layer, kind: "rule", roots })),
    ...fromTemplate.map((rule) => compileRule({ ...rule, origin }, { layer, kind: "template", roots })),
  ];
}

/** Blocks everything but reading, since it is unknown what the unusable file wanted to block. */
const blockChangesRule = ({ reason, file }: NonNullable<Layer["unusable"]>): RuleWithOrigin => ({
  act: ACTS.filter((act) => act !== "read"),
  decide: "blocked",
  reason: `nothing can be changed until ${WORKSPACE_FILE} is mended or removed: ${visible(reason)}`,
  origin: file,
});

function compiledGuard({ within, acts, reason }: Guard): CompiledRule {
  const scope = scopeWithin(within);
  return {
    layer: "built-in",
    kind: "guard",
    verdict: "blocked",
    reason,
    origin: "built-in",
    entry: { act: [...acts], decide: "blocked" },
    acts,
    scope,
    appliesInTrees: true,
    isStatic: true,
    appliesTo: ({ act, place }) => coversAct(acts, act) && scope.matches(place),
  };
}

function grantsOf({ grants = [], roots }: RuleSources): readonly CompiledGrant[] {
  return grants.map(({ expiresMs, only, tool, plugin, roots: grantedRoots, ...rule }) => ({
    ...compileRule({ ...rule, decide: "notify" }, { layer: "session", kind: "rule", roots }),
    expiresMs,
    only,
    tool,
    plugin,
    roots: grantedRoots,
  }));
}

type CompiledGrant = CompiledRule & Pick<Grant, "expiresMs" | "only" | "tool" | "plugin" | "roots">;

/** Marks overridden rules. Only layers of the operator override defaults; the layers below can only add rules. */
function matchedRulesOf(rules: readonly CompiledRule[], act: Act, rates: RateCounters): readonly MatchedRule[] {
  return rules.map((rule) => ({
    rule,
    isInForce: !rules.some((other) => isOverriddenBy(rule, other, act)),
    verdict: rule.verdict,
    ...(rule.rate &&
      rates.isExceeded(rule.rate) && { verdict: rule.rate.onExceed, passesInMs: rates.exceededMs(rule.rate) }),
  }));
}

function isOverriddenBy(rule: CompiledRule, other: CompiledRule, act: Act): boolean {
  if (!namesAct(other.acts, act)) return false;
  if (rule.kind === "template") return other.kind === "rule" && other.layer === rule.layer;
  if (rule.kind !== "default") return false;
  return (other.kind === "rule" || other.kind === "template") && OPERATOR_LAYERS.includes(other.layer);
}

/** Detects a rule that another one overrides at every place, whatever the request is. */
const isAlwaysOverridden = (rule: CompiledRule, rules: readonly CompiledRule[], act: Act): boolean =>
  rules.some(
    (other) => other.scope.isEverywhere && other.isStatic && other.appliesInTrees && isOverriddenBy(rule, other, act),
  );

const OPERATOR_LAYERS: readonly CompiledRule["layer"][] = ["system", "organisation", "user"];

/** Excludes `erase` from rules about `delete`: allowing to delete does not allow to delete for good. */
const namesAct = (acts: readonly Act[], act: Act): boolean =>
  acts.includes(act) || (act !== "erase" && coversAct(acts, act));

/** Returns the decision for places that only rules for all places match; undefined where it depends on more. */
function decisionEverywhere(rules: readonly CompiledRule[], act: Act, rates: RateCounters): Decision | undefined {
  const everywhere = rules.filter(({ scope }) => scope.isEverywhere);
  if (!everywhere.every(({ isStatic }) => isStatic)) return undefined;
  const decision = decisionOf(matchedRulesOf(everywhere, act, rates), act);
  return decision.verdict === "approval" ? undefined : decision;
}

function decisionOf(matches: readonly MatchedRule[], act: Act): Decision {
  const inForce = matches.filter(({ isInForce }) => isInForce);
  if (inForce.length === 0) return { verdict: "blocked", reasons: [`no rule allows to ${act} it`] };
  return strictestDecision(
    inForce.map((each) => {
      const { verdict, rule, passesInMs } = each;
      const { origin, rate, entry, kind } = rule;
      return {
        verdict,
        reasons: [reasonOf(each)],
        origins: [origin],
        ...((kind === "default" || kind === "template") && { isByDefault: true }),
        ...(rate && { rates: [{ ...rate, wasExceeded: passesInMs !== undefined }] }),
        ...(passesInMs !== undefined && { passesInMs }),
        ...(entry.channels && { channels: entry.channels }),
      };
    }),
  );
}

/** Adds to the reason that a limit is used up, since the caller may be allowed later. */
function reasonOf({ rule: { reason, entry, verdict }, verdict: now }: MatchedRule): string {
  const { rate_limit: limit } = entry;
  return limit && now !== verdict ? `${reason}; at most ${limit.max} in ${limit.window}, and that is used up` : reason;
}

/** Combines several decisions into the strictest. */
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
    ...(deciding.length > 0 && deciding.every(({ isByDefault }) => isByDefault) && { isByDefault: true }),
    ...(rates.length > 0 && { rates }),
    ...(Number.isFinite(passesInMs) && { passesInMs }),
    ...(channels && { channels }),
  };
}

/** Returns a hint to try again later, where only a limit is the reason. */
export function retryHint({ passesInMs }: Decision): { readonly hint?: string; readonly retry_after_s?: number } {
  if (passesInMs === undefined) return {};
  const seconds = Math.ceil(passesInMs / 1000);
  return { hint: `Try again in ${seconds} s: only the limit is used up`, retry_after_s: seconds };
}

/** Returns the channels that all rules with channels accept. */
function commonChannels(lists: readonly (readonly ChannelName[] | undefined)[]): readonly ChannelName[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  return first?.filter((name) => others.every((list) => list.includes(name)));
}

function withGrants(
  decision: Decision,
  request: PermissionRequest,
  grants: readonly CompiledGrant[],
  nowMs: number,
): Decision {
  if (decision.verdict !== "approval") return decision;
  const grant = grants.find(
    (each) =>
      nowMs < (each.expiresMs ?? Infinity) &&
      (each.only ?? request.place) === request.place &&
      isWithinGrantedRoots(each, request) &&
      namesAct(each.acts, request.act) &&
      each.appliesTo(request, nowMs),
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

/**
 * Keeps a grant to the directories that it was given for: the place must lie in them or, for a tool that reaches beyond
 * the files, all roots of the session. The name of a tool is compared exactly: in a list of tools the same word might
 * mean a plugin, or another spelling.
 */
function isWithinGrantedRoots({ tool, plugin, roots: granted }: CompiledGrant, request: PermissionRequest): boolean {
  const isGranted = (place: string): boolean => granted.some((root) => isWithin(place, root));
  if (tool !== request.tool?.name || plugin !== request.tool?.plugin) return false;
  if (!request.tool) return isGranted(request.place);
  const { roots = [] } = request;
  return roots.length > 0 && roots.every(isGranted);
}

const strictestVerdictOf = ({ verdict, rate }: CompiledRule): Verdict =>
  rate ? strictest(verdict, rate.onExceed) : verdict;

/** Returns true where the decision depends on the place alone, so that it will be the same the next time. */
const isCacheable = (
  { verdict }: Decision,
  rules: readonly CompiledRule[],
  place: string,
  grants: readonly CompiledGrant[],
): boolean =>
  (verdict !== "approval" || grants.length === 0) &&
  rules.every(({ isStatic, scope }) => isStatic || !scope.matches(place));

function cacheDecision(places: Map<string, Decision>, place: string, decision: Decision): void {
  if (places.size >= LIMITS.cachedVerdicts) places.clear();
  places.set(place, decision);
}
