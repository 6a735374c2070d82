import * as z from "zod";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { alternativesOf } from "../text/glob/braces.ts";
import { issueTextOf } from "../text/issue-text.ts";
import { type Jsonc, parseJsonc } from "../text/jsonc.ts";
import { type KeyPath, keyText } from "../text/key-path.ts";
import { didYouMean, quotedInput } from "../text/did-you-mean.ts";
import { type Config, config } from "./schema.ts";

/** A configuration file that was parsed and validated. */
export interface CheckedFile {
  readonly config: Config;
  /** Returns the file and line of a key, such as "config.jsonc:12". */
  originOf(path: KeyPath): string;
}

/** Parses and validates a file. Throws a fault that names every wrong line. */
export function checkedFile(file: string, text: string): CheckedFile {
  const document = parsedAt(file, text);
  const originOf = (path: KeyPath): string => `${file}:${document.lineOf(path) ?? 1}`;
  const found = config.safeParse(document.value);
  if (found.success) {
    requireFewAlternatives(found.data, originOf);
    return { config: found.data, originOf };
  }
  const problems = found.error.issues.flatMap((issue) => problemsIn(issue, document.value, originOf));
  throw new Fault(
    "invalid_input",
    `Cannot use the configuration: ${problems.slice(0, LIMITS.configProblems).join("\n")}`,
    { problems },
  );
}

/**
 * Limits the total length that braces expand to in a file, because nested braces multiply. Invalid patterns are
 * reported when their rule is compiled.
 */
function requireFewAlternatives({ policy }: Config, originOf: CheckedFile["originOf"]): void {
  let chars = 0;
  policy?.rules?.forEach(({ path = [] }, nth) => {
    for (const pattern of [path].flat()) chars += expandedChars(pattern);
    if (chars <= LIMITS.alternativeChars) return;
    const origin = originOf(["policy", "rules", nth]);
    throw new Fault(
      "invalid_input",
      `Cannot use the configuration: ${origin}: up to here the braces of its patterns expand to more than ` +
        `${LIMITS.alternativeChars} characters; use fewer of them, or a wildcard`,
    );
  });
}

function expandedChars(pattern: string): number {
  if (!pattern.includes("{")) return 0;
  const alternatives = alternativesOf(pattern);
  return "reason" in alternatives ? 0 : alternatives.reduce((sum, { length }) => sum + length, 0);
}

function parsedAt(file: string, text: string): Jsonc {
  try {
    return parseJsonc(text);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const problem = error.message.replace(/^line (\d+): /, (_, line: string) => `${file}:${line}: `);
    throw new Fault("invalid_input", `Cannot use the configuration: ${problem}`, { problems: [problem] }, error);
  }
}

function problemsIn(issue: z.core.$ZodIssue, given: unknown, originOf: CheckedFile["originOf"]): readonly string[] {
  const { must, message, ...text } = issueTextOf(issue, given);
  const path = text.path.filter((part) => typeof part !== "symbol");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${originOf([...path, key])}: ${unknownKey(key, path)}`);
  return [`${originOf(path)}: ${keyText(path) || "the file"}${must === undefined ? `: ${message}` : ` ${must}`}`];
}

function unknownKey(key: string, path: KeyPath): string {
  const where = path.length === 0 ? "" : ` in ${keyText(path)}`;
  const known = keysAt(config, path);
  const help = didYouMean(key, known, `there are ${known.join(", ")}`);
  return `there is no key ${quotedInput(key)}${where}; ${help}`;
}

/** Returns the keys that the schema allows at a path. */
function keysAt(schema: z.core.$ZodType, path: KeyPath): readonly string[] {
  if (schema instanceof z.ZodOptional) return keysAt(schema.unwrap(), path);
  const [first, ...rest] = path;
  if (schema instanceof z.ZodObject)
    return first === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(first)], rest);
  if (schema instanceof z.ZodArray) return keysAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) return keysAt(schema.valueType, rest);
  return [];
}
