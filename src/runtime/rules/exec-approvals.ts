import { LIMITS } from "../../base/limits.ts";
import type { ProgramScope } from "./permission-request.ts";

/** Holds an `exec-approvals.json` of version 1, including keys of other programs. */
export type ExecApprovals = Readonly<Record<string, unknown>>;

/** Holds the settings of such a file for one agent. */
export interface ExecSettings {
  /** Lets nothing run, listed programs, or all; undefined where the file does not say. */
  readonly security?: "deny" | "allowlist" | "full" | undefined;
  /** Asks a person never, when a program is not listed, or each time. */
  readonly ask?: "off" | "on-miss" | "always" | undefined;
  readonly allowlist: readonly AllowedProgram[];
}

/** Lets a program run without asking, by the path that its name resolves to. */
export interface AllowedProgram {
  readonly pattern: string;
  /** A key of ours: the format itself has no expiry. */
  readonly expiresAt?: number | undefined;
  /** Keys of ours, too: without them the program may run with any words, as other programs mean it. */
  readonly scope?: ProgramScope | undefined;
}

/** Parses the file; null stands for no file. Returns undefined for one that is invalid or has another version. */
export function execApprovalsIn(text: string | null): ExecApprovals | undefined {
  if (text === null) return { version: 1 };
  try {
    const found = JSON.parse(text) as unknown;
    return isObject(found) && found["version"] === 1 ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Merges the settings for all agents with those of one, which win. Lists are joined. */
export function execSettingsOf(approvals: ExecApprovals, agent: string): ExecSettings {
  const own = agentsIn(approvals)[agent];
  const levels = [approvals["defaults"], agentsIn(approvals)["*"], own].map(objectOf);
  const last = (key: string): unknown => levels.findLast((level) => level[key] !== undefined)?.[key];
  return {
    security: oneOf(last("security"), ["allowlist", "full"], "deny"),
    ask: oneOf(last("ask"), ["off", "on-miss"], "always"),
    allowlist: levels.flatMap(({ allowlist }) => (Array.isArray(allowlist) ? allowlist.flatMap(programIn) : [])),
  };
}

/** Adds a program and keeps everything else. A program that is listed already gets the new expiry. */
export function withProgram(
  approvals: ExecApprovals,
  agent: string,
  { scope, ...program }: AllowedProgram & Entry,
): ExecApprovals {
  const agents = agentsIn(approvals);
  const own = objectOf(agents[agent]);
  const listed = Array.isArray(own["allowlist"]) ? (own["allowlist"] as readonly unknown[]) : [];
  const isSame = ([each]: readonly AllowedProgram[]): boolean =>
    each?.pattern === program.pattern && JSON.stringify(each.scope) === JSON.stringify(scope);
  const others = listed.filter((each) => !isSame(programIn(each)));
  const before = listed.find((each) => !others.includes(each));
  const allowlist = [...others, { ...objectOf(before), ...program, ...scope }];
  return { ...approvals, agents: { ...agents, [agent]: { ...own, allowlist } } };
}

/** Holds what the format keeps about a program besides. */
interface Entry {
  readonly id: string;
  readonly lastUsedAt?: number;
  readonly lastUsedCommand?: string;
  readonly lastResolvedPath?: string;
}

/**
 * Matches the whole path without regard to case. A pattern that is only a name matches nothing: it would match any
 * program of that name.
 */
export function isListed(
  { allowlist }: ExecSettings,
  program: string,
  at: { readonly nowMs: number; readonly home: string; readonly scope?: ProgramScope | undefined },
): boolean {
  return allowlist.some(
    ({ pattern, expiresAt = Infinity, scope }) =>
      at.nowMs < expiresAt &&
      patternTest(pattern, at.home).test(program) &&
      (scope === undefined || (at.scope !== undefined && covers(scope, at.scope))),
  );
}

const covers = (stored: ProgramScope, now: ProgramScope): boolean =>
  stored.script === now.script &&
  stored.sandbox === now.sandbox &&
  JSON.stringify(stored.words) === JSON.stringify(now.words) &&
  now.roots.every((root) => stored.roots.includes(root));

function patternTest(pattern: string, home: string): RegExp {
  if (pattern === "*") return /^\//;
  if (!/[/~]/.test(pattern) || pattern.length > LIMITS.patternChars) return /(?!)/;
  const whole = pattern.startsWith("~/") ? home + pattern.slice(1) : pattern;
  const source = whole.replaceAll(/\*\*|[*?]|[^*?]+/g, (part) => WILDCARDS[part] ?? escapeRegex(part));
  return new RegExp(`^${source}$`, "is");
}

const WILDCARDS: Readonly<Record<string, string>> = { "**": ".*", "*": "[^/]*", "?": "[^/]" };

const escapeRegex = (text: string): string => text.replaceAll(/[.+^$(){}|[\]\\]/g, "\\$&");

/** Merges "default" into "main": early versions used that name. */
function agentsIn({ agents }: ExecApprovals): Readonly<Record<string, unknown>> {
  const { default: early, ...others } = objectOf(agents);
  return early === undefined ? others : { ...others, main: { ...objectOf(early), ...objectOf(others["main"]) } };
}

/** Also accepts the bare patterns of early versions. */
function programIn(value: unknown): readonly AllowedProgram[] {
  if (typeof value === "string") return [{ pattern: value }];
  const entry = objectOf(value);
  const { pattern, expiresAt } = entry;
  if (typeof pattern !== "string") return [];
  const expiring = typeof expiresAt === "number" && { expiresAt };
  if (entry["words"] === undefined) return [{ pattern, ...expiring }];
  const scope = scopeIn(entry);
  // Without its limits, a damaged entry would allow more than was said.
  return scope ? [{ pattern, ...expiring, scope }] : [];
}

function scopeIn({ words, script, roots, sandbox }: Readonly<Record<string, unknown>>): ProgramScope | undefined {
  if (!isTexts(words) || !isTexts(roots) || roots.length === 0 || typeof sandbox !== "string") return undefined;
  if (script === undefined) return { words, roots, sandbox };
  return typeof script === "string" ? { words, script, roots, sandbox } : undefined;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

/** Takes a word that we do not know for the strictest: a newer version may mean something like it. */
const oneOf = <Word extends string>(value: unknown, words: readonly Word[], strictest: Word): Word | undefined =>
  value === undefined ? undefined : (words.find((word) => word === value) ?? strictest);
