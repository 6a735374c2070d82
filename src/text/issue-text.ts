import type { z } from "zod";
import { valueAt } from "./key-path.ts";
import { mostSimilar } from "./did-you-mean.ts";

type Issue = z.core.$ZodIssue;

/** Describes what is wrong at one place of a value. */
export interface IssueText {
  readonly path: readonly PropertyKey[];
  /** A predicate that begins with "must" or "is". It is undefined if only `message` describes the problem. */
  readonly must?: string | undefined;
  /** The message of the schema. */
  readonly message: string;
}

/** Describes an issue of a schema: where it is, and which value is expected there. */
export function issueTextOf(issue: Issue, given: unknown): IssueText {
  const { path, code, message } = issue;
  const inner = code === "invalid_union" ? deepestIssue(issue.errors) : undefined;
  if (inner) return issueTextOf({ ...inner, path: [...path, ...inner.path] }, given);
  return { path, must: mustOf(issue, valueAt(given, path)), message: message.replace(/^Invalid input: /, "") };
}

/**
 * Returns the first issue of the union member that matched deepest. If a list was given where one value is also
 * allowed, this is the issue inside the list.
 */
function deepestIssue(members: readonly (readonly Issue[])[]): Issue | undefined {
  const firsts = members.flatMap(([first]) => (first ? [first] : []));
  return firsts.toSorted((a, b) => b.path.length - a.path.length)[0];
}

function mustOf(issue: Issue, value: unknown): string | undefined {
  if (issue.code === "invalid_type")
    return value === undefined && issue.path.length > 0
      ? `is missing: give ${kindNamed(issue.expected)}`
      : mustBeKind(issue.expected, value);
  if (issue.code === "invalid_value") return mustBeOneOf(issue.values.map(String), value);
  if (issue.code === "too_small") return mustHave(issue, issue.minimum, issue.inclusive ? "at least" : "more than");
  if (issue.code === "too_big") return mustHave(issue, issue.maximum, issue.inclusive ? "at most" : "less than");
  if (issue.code === "invalid_format" && issue.message.startsWith("Invalid"))
    return issue.format === "regex" ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`;
  return undefined;
}

function mustBeKind(expected: string, value: unknown): string {
  const isNumber = typeof value === "number" && (expected === "int" || expected === "number");
  return `must be ${kindNamed(expected)}${isNumber ? "" : `, not ${kindNamed(kindOf(value))}`}`;
}

function mustBeOneOf(values: readonly string[], value: unknown): string {
  const expected = values.length === 1 ? values.join("") : `one of ${values.join(", ")}`;
  if (value === undefined) return `is missing: give ${expected}`;
  const meant = typeof value === "string" ? mostSimilar(value, values) : undefined;
  return `must be ${expected}${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
}

function mustHave({ origin }: { readonly origin: string }, bound: number | bigint, relation: string): string {
  const unit = UNITS.get(origin);
  if (unit === undefined) return `must be ${relation} ${bound}`;
  if (relation === "at least" && bound === 1) return "must not be empty";
  return `must have ${relation} ${bound} ${unit}`;
}

const UNITS: ReadonlyMap<string, string> = new Map([
  ["string", "characters"],
  ["array", "items"],
]);

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const kindNamed = (kind: string): string => KINDS.get(kind) ?? kind;

const KINDS: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
  ["function", "a function"],
  ["undefined", "nothing"],
]);
