import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { type Act, ACTS, type ChannelName, isFree, strictest, type Verdict } from "../../base/verdicts.ts";
import type { Layer, WrittenRule } from "../../config/layer.ts";
import { WORKSPACE_FILE } from "../../config/places.ts";
import type { RuleEntry } from "../../config/rule.ts";
import { visible } from "../../text/quote.ts";
import type { DecidedRate, Rates } from "./rates.ts";
import { scopeWithin } from "./rule-scope.ts";
import { isAbout, type Term, termOf, type PermissionRequest } from "./rule-term.ts";
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
  readonly isShielded?: boolean;
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
  readonly term: Term;
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
  spokenOf(want: PermissionRequest): readonly MatchedRule[];
  /** Whether reading a place might be decided so strictly. Quick: listings and walks ask it of every entry. */
  mightBe(verdict: "approval" | "blocked", place: string): boolean;
  /** Whether something below a directory might be blocked for reading. Quick, too. */
  mightHideBelow(directory: string): boolean;
  /** Directories below one that are out of reach as a whole: nobody need look for anything there. */
  closedBelow(directory: string): readonly string[];
  /** The strictest verdict that something below a directory might get. */
  worstBelow(act: Act, directory: string): Verdict;
  /** What guards say of places below one that is, or will be, a link: whatever the link leads to, they are reached through it. */
  guardedBelow(act: Act, link: string): readonly Decision[];
  /** Whether a rule for reading speaks of things below a directory because of where that is. */
  leansOn(directory: string): boolean;
  readonly terms: readonly Term[];
  /** What cannot be used of the files, one sentence each: while there is any, nothing is changed. */
  readonly unusable: readonly string[];
}

export function createRules(sources: RuleSources, rates: Rates, nowMs: () => number = Date.now): Rules {
  const terms = termsOf(sources);
  const grants = grantsOf(sources);
  const known = byAct(() => new Map<string, Decision>());
  const about = byAct((act) => terms.filter((term) => isAbout(term.acts, act)));
  const closed = sources.guards.flatMap(({ acts, within }) => (acts.includes("read") ? [within] : []));
  const blocking = about.read.filter((term) => worstOf(term) === "blocked");
  const stopping = about.read.filter((term) => !isFree(worstOf(term)));
  const spokenOf = (want: PermissionRequest): readonly MatchedRule[] =>
    heard(
      about[want.act].filter((term) => term.speaksOf(want, nowMs())),
      want.act,
      rates,
    );
  // Of most places no rule speaks but those for all places.
  const usual = byAct((act) => usualDecision(about[act], act, rates));
  const special = terms.filter(({ reach }) => !reach.isEverywhere);
  const specialAt = rememberingTwo((place) => special.filter(({ reach }) => reach.fits(place)));
  const usualFor = ({ act, place }: PermissionRequest): Decision | undefined =>
    specialAt(place).some(({ acts }) => isAbout(acts, act)) ? undefined : usual[act];
  return {
    decide(want) {
      const asUsual = usualFor(want);
      if (asUsual) return asUsual;
      const places = known[want.act];
      const before = want.isInTree ? undefined : places.get(want.place);
      if (before) return before;
      const decision = decisionOf(spokenOf(want), want.act);
      if (!want.isInTree && isLasting(decision, about[want.act], want.place, grants))
        remember(places, want.place, decision);
      return granted(decision, want, grants, nowMs());
    },
    spokenOf,
    mightBe: (verdict, place) => (verdict === "blocked" ? blocking : stopping).some(({ reach }) => reach.fits(place)),
    mightHideBelow: (directory) => blocking.some(({ reach }) => reach.mayFitBelow(directory)),
    closedBelow: (directory) => closed.filter((place) => isWithin(place, directory)),
    worstBelow: (act, directory) =>
      about[act]
        .filter((term) => term.inTrees && term.reach.mayFitBelow(directory))
        .map(worstOf)
        .reduce(strictest, "autonomous"),
    guardedBelow: (act, link) =>
      about[act]
        .filter(({ standing, reach }) => standing === "guard" && reach.mayFitBelow(link))
        .map(({ verdict, reason, origin }) => ({ verdict, reasons: [reason], origins: [origin] })),
    leansOn: (directory) => about.read.some(({ reach, verdict }) => !isFree(verdict) && reach.leansOn(directory)),
    terms,
    unusable: sources.layers.flatMap(({ unusable }) => (unusable ? (closingRule(unusable).reason ?? []) : [])),
  };
}

/** One call asks for several acts at one place or two. */
function rememberingTwo<T>(find: (place: string) => T): (place: string) => T {
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

function termsOf({ roots, layers, guards, isShielded, defaults = [] }: RuleSources): readonly Term[] {
  const builtIn = [...templateRules("personal"), ...defaults].map((rule) =>
    termOf({ ...rule, origin: "built-in" }, { layer: "built-in", standing: "default", roots }),
  );
  return [
    ...guards.map(guardTerm),
    ...layers.flatMap((layer) => termsOfLayer(layer, layer.roots ?? roots, isShielded)),
    ...builtIn,
  ];
}

function termsOfLayer(
  { name: layer, rules, template, unusable }: Layer,
  roots: readonly string[],
  isShielded: boolean | undefined,
): readonly Term[] {
  if (unusable) return [termOf(closingRule(unusable), { layer, standing: "rule", roots })];
  const fromTemplate = template ? templateRules(template.name, isShielded) : [];
  const origin = `template ${template?.name}, ${template?.origin}`;
  return [
    ...rules.map((rule) => termOf(rule, { layer, standing: "rule", roots })),
    ...fromTemplate.map((rule) => termOf({ ...rule, origin }, { layer, standing: "template", roots })),
  ];
}

/** What a file wanted to block is not known: everything but reading is. */
const closingRule = ({ reason, file }: NonNullable<Layer["unusable"]>): WrittenRule => ({
  act: ACTS.filter((act) => act !== "read"),
  decide: "blocked",
  reason: `nothing can be changed until ${WORKSPACE_FILE} is mended or removed: ${visible(reason)}`,
  origin: file,
});

function guardTerm({ within, acts, reason }: Guard): Term {
  const reach = scopeWithin(within);
  return {
    layer: "built-in",
    standing: "guard",
    verdict: "blocked",
    reason,
    origin: "built-in",
    entry: { act: [...acts], decide: "blocked" },
    acts,
    reach,
    inTrees: true,
    isSteady: true,
    speaksOf: ({ act, place }) => isAbout(acts, act) && reach.fits(place),
  };
}

function grantsOf({ grants = [], roots }: RuleSources): readonly GrantTerm[] {
  return grants.map(({ expiresMs, only, tool, ...rule }) => ({
    ...termOf({ ...rule, decide: "notify" }, { layer: "session", standing: "rule", roots }),
    expiresMs,
    only,
    tool,
  }));
}

type GrantTerm = Term & Pick<Grant, "expiresMs" | "only" | "tool">;

/** Who yields to whom. Only rules of those who set the limits put the defaults aside; below them, rules are added. */
function heard(terms: readonly Term[], act: Act, rates: Rates): readonly MatchedRule[] {
  return terms.map((term) => ({
    term,
    isInForce: !terms.some((other) => yieldsTo(term, other, act)),
    verdict: term.verdict,
    ...(term.rate &&
      rates.isExceeded(term.rate) && { verdict: term.rate.onExceed, passesInMs: rates.exceededMs(term.rate) }),
  }));
}

function yieldsTo(term: Term, other: Term, act: Act): boolean {
  if (!names(other.acts, act)) return false;
  if (term.standing === "template") return other.standing === "rule" && other.layer === term.layer;
  if (term.standing !== "default") return false;
  return (other.standing === "rule" || other.standing === "template") && OPERATORS.includes(other.layer);
}

const OPERATORS: readonly Term["layer"][] = ["system", "organisation", "user"];

/** Whoever lets things be deleted has not said that they may be gone for good. */
const names = (acts: readonly Act[], act: Act): boolean =>
  acts.includes(act) || (act !== "erase" && isAbout(acts, act));

/** What is decided wherever no rule for some places speaks; undefined where it depends on more than the place. */
function usualDecision(terms: readonly Term[], act: Act, rates: Rates): Decision | undefined {
  const everywhere = terms.filter(({ reach }) => reach.isEverywhere);
  if (!everywhere.every(({ isSteady }) => isSteady)) return undefined;
  const decision = decisionOf(heard(everywhere, act, rates), act);
  return decision.verdict === "approval" ? undefined : decision;
}

function decisionOf(spoken: readonly MatchedRule[], act: Act): Decision {
  const inForce = spoken.filter(({ isInForce }) => isInForce);
  if (inForce.length === 0) return { verdict: "blocked", reasons: [`no rule allows to ${act} it`] };
  return mergedSources(
    inForce.map((each) => {
      const { verdict, term, passesInMs } = each;
      const { origin, rate, entry } = term;
      return {
        verdict,
        reasons: [reasonIn(each)],
        origins: [origin],
        ...(rate && { rates: [{ ...rate, wasExceeded: passesInMs !== undefined }] }),
        ...(passesInMs !== undefined && { passesInMs }),
        ...(entry.channels && { channels: entry.channels }),
      };
    }),
  );
}

/** Whoever is refused for the moment is told so: later it may be allowed. */
function reasonIn({ term: { reason, entry, verdict }, verdict: now }: MatchedRule): string {
  const { rate_limit: limit } = entry;
  return limit && now !== verdict ? `${reason}; at most ${limit.max} in ${limit.window}, and that is used up` : reason;
}

/** The strictest of several decisions. */
export function mergedSources(decisions: readonly Decision[]): Decision {
  const verdict = decisions.reduce<Verdict>((worst, each) => strictest(worst, each.verdict), "autonomous");
  const deciding = decisions.filter((each) => each.verdict === verdict);
  const [first] = deciding;
  if (first && deciding.length === 1 && decisions.every(({ rates }) => rates === undefined)) return first;
  const rates = decisions.flatMap((each) => each.rates ?? []);
  const channels = sharedChannels(deciding.map((each) => each.channels));
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
export function nextStepText({ passesInMs }: Decision): { readonly hint?: string; readonly retry_after_s?: number } {
  if (passesInMs === undefined) return {};
  const seconds = Math.ceil(passesInMs / 1000);
  return { hint: `Try again in ${seconds} s: only the limit is used up`, retry_after_s: seconds };
}

/** Those that everybody who cares would listen to. */
function sharedChannels(lists: readonly (readonly ChannelName[] | undefined)[]): readonly ChannelName[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  return first?.filter((name) => others.every((list) => list.includes(name)));
}

function granted(decision: Decision, want: PermissionRequest, grants: readonly GrantTerm[], nowMs: number): Decision {
  if (decision.verdict !== "approval") return decision;
  const grant = grants.find(
    ({ expiresMs = Infinity, only = want.place, acts, tool, ...term }) =>
      nowMs < expiresMs &&
      only === want.place &&
      // To the letter: in a list of tools the same word might mean a plugin, or another spelling.
      tool === want.tool?.name &&
      names(acts, want.act) &&
      term.speaksOf(want, nowMs),
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

const worstOf = ({ verdict, rate }: Term): Verdict => (rate ? strictest(verdict, rate.onExceed) : verdict);

/** Whether the place alone decided, so that the same will be decided the next time. */
const isLasting = (
  { verdict }: Decision,
  terms: readonly Term[],
  place: string,
  grants: readonly GrantTerm[],
): boolean =>
  (verdict !== "approval" || grants.length === 0) &&
  terms.every(({ isSteady, reach }) => isSteady || !reach.fits(place));

function remember(places: Map<string, Decision>, place: string, decision: Decision): void {
  if (places.size >= LIMITS.judgedPlaces) places.clear();
  places.set(place, decision);
}
