import { LIMITS } from "../../base/limits.ts";

/** An `exec-approvals.json` of version 1, with all that others wrote into it. */
export type ExecApprovals = Readonly<Record<string, unknown>>;

/** What such a file says for one agent. */
export interface ExecSettings {
  /** Whether anything runs: nothing, what is listed, or all; undefined where the file does not say. */
  readonly security?: "deny" | "allowlist" | "full" | undefined;
  /** When somebody is asked: never, when a program is not listed, or each time. */
  readonly ask?: "off" | "on-miss" | "always" | undefined;
  readonly allowlist: readonly AllowedProgram[];
}

/** A program that may run unasked, by the path that its name leads to. */
export interface AllowedProgram {
  readonly pattern: string;
  /** Ours alone: the format knows no end. */
  readonly expiresAt?: number | undefined;
}

/** Where there is no file nothing is said. Undefined for one that cannot be understood, or is of another version. */
export function execApprovalsIn(text: string | null): ExecApprovals | undefined {
  if (text === null) return { version: 1 };
  try {
    const found = JSON.parse(text) as unknown;
    return isObject(found) && found["version"] === 1 ? found : undefined;
  } catch {
    return undefined;
  }
}

/** What is said for all agents holds unless this one has its own word; lists are joined. */
export function execSettingsOf(approvals: ExecApprovals, agent: string): ExecSettings {
  const own = agentsIn(approvals)[agent];
  const levels = [approvals["defaults"], agentsIn(approvals)["*"], own].map(objectOf);
  const said = (key: string): unknown => levels.findLast((level) => level[key] !== undefined)?.[key];
  return {
    security: oneOf(said("security"), ["deny", "allowlist", "full"]),
    ask: oneOf(said("ask"), ["off", "on-miss", "always"]),
    allowlist: levels.flatMap(({ allowlist }) => (Array.isArray(allowlist) ? allowlist.flatMap(programIn) : [])),
  };
}

/** The same with one more program, and everything else as it was. One that is listed already gets its new end. */
export function withProgram(approvals: ExecApprovals, agent: string, program: AllowedProgram & Entry): ExecApprovals {
  const agents = agentsIn(approvals);
  const own = objectOf(agents[agent]);
  const listed = Array.isArray(own["allowlist"]) ? (own["allowlist"] as readonly unknown[]) : [];
  const others = listed.filter((each) => programIn(each)[0]?.pattern !== program.pattern);
  const before = listed.find((each) => !others.includes(each));
  const allowlist = [...others, { ...objectOf(before), ...program }];
  return { ...approvals, agents: { ...agents, [agent]: { ...own, allowlist } } };
}

/** What the format keeps of a program besides. */
interface Entry {
  readonly id: string;
  readonly lastUsedAt?: number;
  readonly lastUsedCommand?: string;
  readonly lastResolvedPath?: string;
}

/** By its whole path, whatever the case. A pattern that is only a name would mean any program of that name, and means none. */
export function isListed({ allowlist }: ExecSettings, program: string, at: { nowMs: number; home: string }): boolean {
  return allowlist.some(
    ({ pattern, expiresAt = Infinity }) => at.nowMs < expiresAt && patternTest(pattern, at.home).test(program),
  );
}

function patternTest(pattern: string, home: string): RegExp {
  if (pattern === "*") return /^\//;
  if (!/[/~]/.test(pattern) || pattern.length > LIMITS.patternChars) return /(?!)/;
  const whole = pattern.startsWith("~/") ? home + pattern.slice(1) : pattern;
  const source = whole.replaceAll(/\*\*|[*?]|[^*?]+/g, (part) => WILDCARDS[part] ?? literally(part));
  return new RegExp(`^${source}$`, "is");
}

const WILDCARDS: Readonly<Record<string, string>> = { "**": ".*", "*": "[^/]*", "?": "[^/]" };

const literally = (text: string): string => text.replaceAll(/[.+^$(){}|[\]\\]/g, "\\$&");

/** "default" is what early versions called "main". */
function agentsIn({ agents }: ExecApprovals): Readonly<Record<string, unknown>> {
  const { default: early, ...others } = objectOf(agents);
  return early === undefined ? others : { ...others, main: { ...objectOf(early), ...objectOf(others["main"]) } };
}

/** Early versions listed bare patterns. */
function programIn(value: unknown): readonly AllowedProgram[] {
  if (typeof value === "string") return [{ pattern: value }];
  const { pattern, expiresAt } = objectOf(value);
  if (typeof pattern !== "string") return [];
  return [{ pattern, ...(typeof expiresAt === "number" && { expiresAt }) }];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

const oneOf = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === value);
