import { Fault, isFault } from "../../base/errors.ts";
import { childOf } from "../../base/paths.ts";
import { parseDuration } from "../../base/time.ts";
import { type Act, needsNoApproval, isStricter, type LayerName, type Verdict } from "../../base/verdicts.ts";
import type { RuleWithOrigin } from "../../config/layer.ts";
import type { RuleEntry } from "../../config/rule.ts";
import { visible } from "../../text/quote.ts";
import type { PermissionRequest } from "./permission-request.ts";
import type { RateLimit } from "./rate-limits.ts";
import { ruleSummaryWithinRoots } from "./rule-summary.ts";
import { EVERYWHERE, type RuleScope, ruleScopeOf, ruleScopeOfPrefix, requireValidPattern } from "./rule-scope.ts";
import { isUnknownGroup, unknownGroup } from "../tools/config.ts";
import { matchesTool, type NamedTool } from "../tools/match-tool.ts";

/**
 * Orders rules: nothing overrides a guard, rules of the same layer override its template, rules of the operator the
 * defaults.
 */
export type RuleKind = "guard" | "rule" | "template" | "default";

/** Holds a rule in the form that requests are matched against. */
export interface CompiledRule {
  readonly layer: LayerName | "built-in";
  readonly kind: RuleKind;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly origin: string;
  readonly entry: RuleEntry;
  readonly acts: readonly Act[];
  readonly scope: RuleScope;
  /** Is true where the rule also applies to entries of a tree that is moved, copied or deleted. */
  readonly appliesInTrees: boolean;
  /** Is true where the rule depends on the place alone, so that its verdict can be cached. */
  readonly isStatic: boolean;
  appliesTo(request: PermissionRequest, nowMs: number): boolean;
  readonly rate?: (RateLimit & { readonly onExceed: Verdict }) | undefined;
}

/** Holds what compiling needs besides the rule itself. */
export interface RuleContext {
  readonly layer: CompiledRule["layer"];
  readonly kind: RuleKind;
  readonly roots: readonly string[];
}

/** Compiles a rule. Throws, naming where it is written, when it is invalid or its own examples fail. */
export function compileRule(rule: RuleWithOrigin, at: RuleContext): CompiledRule {
  try {
    // Built-in rules are checked by tests, not at every start.
    if (at.kind !== "rule") return compileEntry(rule, at);
    if (rule.path !== undefined) requireValidPattern(listOf(rule.path));
    return withCheckedExamples(compileEntry(rule, at), at.roots);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new Fault("invalid_input", `Cannot use the rule at ${rule.origin}: ${error.message}`, {}, error);
  }
}

function compileEntry({ origin, ...entry }: RuleWithOrigin, { layer, kind, roots }: RuleContext): CompiledRule {
  const acts = listOf(entry.act);
  requireConsistent(entry, acts);
  const scope = entry.path === undefined ? EVERYWHERE : ruleScopeOf(listOf(entry.path), roots);
  const meetsConditions = conditionOf(entry, roots);
  const fitsCommand = commandTest(entry.command);
  const fitsTool = toolTest(entry.tool);
  return {
    layer,
    kind,
    verdict: entry.decide,
    reason: oneLine(entry.reason ?? `a rule of the ${ownerOf(layer)} says so (${ruleSummaryWithinRoots(entry)})`),
    origin,
    entry,
    acts,
    scope,
    appliesInTrees: entry.trees !== false,
    isStatic: isStaticEntry(entry),
    appliesTo: (request, nowMs) =>
      coversAct(acts, request.act) &&
      !(request.isInTree && entry.trees === false) &&
      (entry.path === undefined || scope.matches(request.place)) &&
      fitsCommand(request.command) &&
      fitsTool(request.tool) &&
      meetsConditions(request, nowMs),
    rate: rateOf(entry, origin),
  };
}

const ownerOf = (layer: CompiledRule["layer"]): string => (layer === "built-in" ? "program" : layer);

/**
 * Keeps a reason on one line, since it appears within questions and notices, where a workspace must not forge lines.
 */
const oneLine = (reason: string): string => visible(reason.replace(/\s+/g, " "));

const isStaticEntry = ({ when, rate_limit, command, tool, trees, path }: RuleEntry): boolean =>
  [when, rate_limit, command, tool].every((each) => each === undefined) && (trees !== false || path !== undefined);

const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);

/** Returns true where a rule about some acts covers another: `create` is a kind of `write`, and `erase` of `delete`. */
export const coversAct = (acts: readonly Act[], act: Act): boolean =>
  acts.includes(act) || (act === "create" && acts.includes("write")) || (act === "erase" && acts.includes("delete"));

/** Throws for a combination that could never apply, or would apply to less than it seems to. */
function requireConsistent(
  { path, command, tool, when, rate_limit, decide, channels }: RuleEntry,
  acts: readonly Act[],
): void {
  const others = (only: readonly Act[]): Act | undefined => acts.find((act) => !only.includes(act));
  const isSized = when?.content_size_lt !== undefined || when?.content_size_gte !== undefined;
  if (command !== undefined && others(["exec"]))
    throw invalidRuleFault(`"command" belongs to exec, not to ${others(["exec"])}`);
  if (tool !== undefined && others(OUTWARD_ACTS))
    throw invalidRuleFault(`"tool" belongs to exec and network, not to ${others(OUTWARD_ACTS)}`);
  const group = listOf(tool ?? []).find(isUnknownGroup);
  if (group !== undefined) throw invalidRuleFault(unknownGroup(group));
  if (path !== undefined && others(FILE_ACTS)) throw invalidRuleFault(`"path" does not belong to ${others(FILE_ACTS)}`);
  if (isSized && others(["write", "create"]))
    throw invalidRuleFault(`a content size belongs to write and create, not to ${others(["write", "create"])}`);
  if (/(?:^|\/)\.\.(?:\/|$)|\*/.test(when?.path_prefix ?? ""))
    throw invalidRuleFault(
      '"path_prefix" names a directory, without ".." and without wildcards; put a pattern into "path"',
    );
  if ((when?.from === undefined) !== (when?.until === undefined))
    throw invalidRuleFault('"from" and "until" go together');
  if (channels && decide !== "approval" && rate_limit?.on_exceed !== "approval")
    throw invalidRuleFault(`"channels" belongs to approval, not to ${decide}`);
  if (rate_limit && !isStricter(rate_limit.on_exceed, decide))
    throw invalidRuleFault(
      `"on_exceed" must be stricter than "decide": ${rate_limit.on_exceed} is not stricter than ${decide}`,
    );
}

const FILE_ACTS: readonly Act[] = ["read", "write", "create", "delete", "erase", "move"];

const OUTWARD_ACTS: readonly Act[] = ["exec", "network"];

const invalidRuleFault = (says: string): Fault => new Fault("invalid_input", says);

type Condition = (request: PermissionRequest, nowMs: number) => boolean;

function conditionOf({ when, decide }: RuleEntry, roots: readonly string[]): Condition {
  if (!when) return () => true;
  const { path_prefix, content_size_lt: below = Infinity, content_size_gte: least = 0, from, until } = when;
  const prefix = path_prefix === undefined ? EVERYWHERE : ruleScopeOfPrefix(path_prefix, roots);
  const isSized = when.content_size_lt !== undefined || when.content_size_gte !== undefined;
  // An unknown size satisfies only conditions of rules that refuse or ask: it must neither allow nor bypass anything.
  const sized = (size: number | undefined): boolean =>
    !isSized || (size === undefined ? !needsNoApproval(decide) : least <= size && size < below);
  const isNow = from !== undefined && until !== undefined ? between(minutesIn(from), minutesIn(until)) : () => true;
  return ({ place, size }, nowMs) => prefix.matches(place) && sized(size) && isNow(minutesNow(nowMs));
}

const minutesIn = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function minutesNow(nowMs: number): number {
  const now = new Date(nowMs);
  return now.getHours() * 60 + now.getMinutes();
}

/** Excludes the end. An end before the start is on the next day. */
const between =
  (from: number, until: number) =>
  (now: number): boolean =>
    from <= until ? from <= now && now < until : from <= now || now < until;

/** Matches prefixes of whole words: "git push" matches "git push --force", not "git pushover". */
function commandTest(command: RuleEntry["command"]): (words: readonly string[] | undefined) => boolean {
  if (command === undefined) return () => true;
  const prefixes = listOf(command).map(wordsIn);
  return (words) => words !== undefined && prefixes.some((prefix) => prefix.every((word, nth) => words[nth] === word));
}

/** Matches a tool as every list of tools does: by name, by glob, by its plugin. */
function toolTest(tool: RuleEntry["tool"]): (named: NamedTool | undefined) => boolean {
  if (tool === undefined) return () => true;
  const entries = listOf(tool);
  return (named) => named !== undefined && entries.some((entry) => matchesTool(entry, named));
}

export const wordsIn = (command: string): readonly string[] => command.trim().split(/\s+/);

function rateOf(entry: RuleEntry, origin: string): CompiledRule["rate"] {
  if (!entry.rate_limit) return undefined;
  const { max, window, on_exceed: onExceed } = entry.rate_limit;
  // The line number is left out: lines above the rule may change while the rule stays the same.
  return {
    key: `${origin.replace(/:\d+$/, "")} ${JSON.stringify(entry)}`,
    max,
    windowMs: parseDuration(window) as number,
    onExceed,
  };
}

/** Returns the examples of a rule, which are about its path, command or tool, not about its conditions. */
export function examplesOf({ match = [], not_match = [] }: RuleEntry): readonly Example[] {
  return [
    ...match.map((text) => ({ text, mustMatch: true })),
    ...not_match.map((text) => ({ text, mustMatch: false })),
  ];
}

export interface Example {
  readonly text: string;
  /** Is true where the rule has to match, false where it must not. */
  readonly mustMatch: boolean;
}

function isExampleSatisfied(
  { entry, scope }: CompiledRule,
  { text, mustMatch }: Example,
  roots: readonly string[],
): boolean {
  if (entry.command !== undefined) return commandTest(entry.command)(wordsIn(text)) === mustMatch;
  if (entry.tool !== undefined) return toolTest(entry.tool)({ name: text }) === mustMatch;
  const places = text.startsWith("/") ? [text] : roots.map((root) => childOf(root, text));
  return places.some((place) => scope.matches(place)) === mustMatch;
}

function withCheckedExamples(rule: CompiledRule, roots: readonly string[]): CompiledRule {
  const failing = examplesOf(rule.entry).find((example) => !isExampleSatisfied(rule, example, roots));
  if (!failing) return rule;
  const verb = failing.mustMatch ? "does not match" : "matches";
  throw invalidRuleFault(`it ${verb} its own example ${JSON.stringify(failing.text)}`);
}
