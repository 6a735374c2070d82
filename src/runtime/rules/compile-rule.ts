import { Fault, isFault } from "../../base/errors.ts";
import { childOf } from "../../base/paths.ts";
import { durationIn } from "../../base/time.ts";
import { type Act, needsNoApproval, isStricter, type LayerName, type Verdict } from "../../base/verdicts.ts";
import type { WrittenRule } from "../../config/layer.ts";
import type { RuleEntry } from "../../config/rule.ts";
import { visible } from "../../text/quote.ts";
import type { Rate } from "./rates.ts";
import { ruleSummaryWithinRoots } from "./rule-summary.ts";
import { EVERYWHERE, type RuleScope, ruleScopeOf, ruleScopeOfPrefix, requireValidPattern } from "./rule-scope.ts";
import { isUnknownGroup, unknownGroup } from "../tools/config.ts";
import { matchesTool, type NamedTool } from "../tools/names.ts";

/** One thing a call wants to do: with a place, a command of so many words, or beyond the files by a tool. */
export interface PermissionRequest {
  readonly act: Act;
  readonly place: string;
  /** Bytes that would be written, where that is known. */
  readonly size?: number | undefined;
  readonly command?: readonly string[];
  /** The tool that reaches beyond the files. */
  readonly tool?: NamedTool | undefined;
  /** It goes along with a tree. */
  readonly isInTree?: boolean;
}

/** Guards hold whatever else is said; templates yield to the rules beside them; defaults to those of the operator. */
export type RuleKind = "guard" | "rule" | "template" | "default";

/** A rule, ready to be asked. */
export interface CompiledRule {
  readonly layer: LayerName | "built-in";
  readonly kind: RuleKind;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly origin: string;
  readonly entry: RuleEntry;
  readonly acts: readonly Act[];
  readonly scope: RuleScope;
  /** Speaks of what a tree takes along. */
  readonly appliesInTrees: boolean;
  /** Its word depends on the place alone. */
  readonly isStatic: boolean;
  appliesTo(want: PermissionRequest, nowMs: number): boolean;
  readonly rate?: (Rate & { readonly onExceed: Verdict }) | undefined;
}

/** What a term is made of besides the rule itself. */
export interface RuleContext {
  readonly layer: CompiledRule["layer"];
  readonly kind: RuleKind;
  readonly roots: readonly string[];
}

/** Throws, with the place where it was written, when a rule cannot be understood or its own examples fail. */
export function compileRule(rule: WrittenRule, at: RuleContext): CompiledRule {
  try {
    // Our own are tested once, not at every start.
    if (at.kind !== "rule") return compileEntry(rule, at);
    if (rule.path !== undefined) requireValidPattern(listOf(rule.path));
    return withCheckedExamples(compileEntry(rule, at), at.roots);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new Fault("invalid_input", `Cannot use the rule at ${rule.origin}: ${error.message}`, {}, error);
  }
}

function compileEntry({ origin, ...entry }: WrittenRule, { layer, kind, roots }: RuleContext): CompiledRule {
  const acts = listOf(entry.act);
  requireConsistent(entry, acts);
  const reach = entry.path === undefined ? EVERYWHERE : ruleScopeOf(listOf(entry.path), roots);
  const isTime = conditionOf(entry, roots);
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
    scope: reach,
    appliesInTrees: entry.trees !== false,
    isStatic: isStaticEntry(entry),
    appliesTo: (want, nowMs) =>
      coversAct(acts, want.act) &&
      !(want.isInTree && entry.trees === false) &&
      (entry.path === undefined || reach.matches(want.place)) &&
      fitsCommand(want.command) &&
      fitsTool(want.tool) &&
      isTime(want, nowMs),
    rate: rateOf(entry, origin),
  };
}

const ownerOf = (layer: CompiledRule["layer"]): string => (layer === "built-in" ? "program" : layer);

/** It is told in the middle of questions and notices: a workspace must not write further lines of them. */
const oneLine = (reason: string): string => visible(reason.replace(/\s+/g, " "));

const isStaticEntry = ({ when, rate_limit, command, tool, trees, path }: RuleEntry): boolean =>
  [when, rate_limit, command, tool].every((each) => each === undefined) && (trees !== false || path !== undefined);

const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);

/** What creates also writes, and what deletes for good also deletes. */
export const coversAct = (acts: readonly Act[], act: Act): boolean =>
  acts.includes(act) || (act === "create" && acts.includes("write")) || (act === "erase" && acts.includes("delete"));

/** A combination that could never speak, or would say less than it seems to, is a mistake. */
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
  const stray = listOf(tool ?? []).find(isUnknownGroup);
  if (stray !== undefined) throw invalidRuleFault(unknownGroup(stray));
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

type Condition = (want: PermissionRequest, nowMs: number) => boolean;

function conditionOf({ when, decide }: RuleEntry, roots: readonly string[]): Condition {
  if (!when) return () => true;
  const { path_prefix, content_size_lt: below = Infinity, content_size_gte: least = 0, from, until } = when;
  const prefix = path_prefix === undefined ? EVERYWHERE : ruleScopeOfPrefix(path_prefix, roots);
  const isSized = when.content_size_lt !== undefined || when.content_size_gte !== undefined;
  // A size that is not known must not open anything, nor get around a refusal.
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

/** The end is not included; one that lies before the start means the next day. */
const between =
  (from: number, until: number) =>
  (now: number): boolean =>
    from <= until ? from <= now && now < until : from <= now || now < until;

/** By whole words: "git push" speaks of "git push --force", not of "git pushover". */
function commandTest(command: RuleEntry["command"]): (words: readonly string[] | undefined) => boolean {
  if (command === undefined) return () => true;
  const prefixes = listOf(command).map(wordsIn);
  return (words) => words !== undefined && prefixes.some((prefix) => prefix.every((word, nth) => words[nth] === word));
}

/** Known as in every list of tools: by name, by glob, by the plugin that brought it. */
function toolTest(tool: RuleEntry["tool"]): (wanted: NamedTool | undefined) => boolean {
  if (tool === undefined) return () => true;
  const entries = listOf(tool);
  return (wanted) => wanted !== undefined && entries.some((entry) => matchesTool(entry, wanted));
}

export const wordsIn = (command: string): readonly string[] => command.trim().split(/\s+/);

function rateOf(entry: RuleEntry, origin: string): CompiledRule["rate"] {
  if (!entry.rate_limit) return undefined;
  const { max, window, on_exceed: onExceed } = entry.rate_limit;
  // Without its line: what stands above it may change while it stays the same.
  return {
    key: `${origin.replace(/:\d+$/, "")} ${JSON.stringify(entry)}`,
    max,
    windowMs: durationIn(window) as number,
    onExceed,
  };
}

/** The examples of a rule are about its path, command or tool, not about its conditions. */
export function examplesOf({ match = [], not_match = [] }: RuleEntry): readonly Example[] {
  return [...match.map((text) => ({ text, isMeant: true })), ...not_match.map((text) => ({ text, isMeant: false }))];
}

export interface Example {
  readonly text: string;
  /** Whether the rule has to speak about it. */
  readonly isMeant: boolean;
}

function isExampleSatisfied(
  { entry, scope }: CompiledRule,
  { text, isMeant }: Example,
  roots: readonly string[],
): boolean {
  if (entry.command !== undefined) return commandTest(entry.command)(wordsIn(text)) === isMeant;
  if (entry.tool !== undefined) return toolTest(entry.tool)({ name: text }) === isMeant;
  const places = text.startsWith("/") ? [text] : roots.map((root) => childOf(root, text));
  return places.some((place) => scope.matches(place)) === isMeant;
}

function withCheckedExamples(term: CompiledRule, roots: readonly string[]): CompiledRule {
  const failing = examplesOf(term.entry).find((example) => !isExampleSatisfied(term, example, roots));
  if (!failing) return term;
  const says = failing.isMeant ? "does not speak about" : "speaks about";
  throw invalidRuleFault(`it ${says} its own example ${JSON.stringify(failing.text)}`);
}
