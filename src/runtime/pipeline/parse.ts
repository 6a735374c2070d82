import { type z, ZodArray, ZodObject, ZodOptional, ZodString } from "zod";
import { Fault } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { issueTextOf } from "../../text/issue-text.ts";
import { didYouMean, quotedInput } from "../../text/did-you-mean.ts";
import type { ParsedInput, Tool } from "../../tools/tool.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Maps argument names of other systems to ours. They are accepted by every tool with the argument, never listed. */
const ALIASES: Readonly<Record<string, string>> = {
  filepath: "path",
  approvalid: "approval",
  sessionid: "process_id",
  data: "input",
  cwd: "workdir",
  maxresults: "limit",
  oldstring: "oldText",
  newstring: "newText",
};

/** Parses untrusted arguments into the input of a tool. Throws a fault that names the argument and the fix. */
export function parse(tool: Tool, raw: unknown): ParsedInput {
  const args = argumentsOf(tool, raw);
  const given = tool.inputSchema ? args : withKnownNames(tool.name, tool.input, args);
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data as ParsedInput;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  throw new Fault("invalid_input", `Cannot call "${tool.name}": ${issueText(issue, given)}`, {
    argument: issue.path.join("."),
  });
}

function argumentsOf(tool: Tool, raw: unknown): Arguments {
  if (raw === undefined || raw === null) return {};
  if (isRecord(raw)) return raw;
  throw new Fault("invalid_input", `Cannot call "${tool.name}": the arguments must be a JSON object`);
}

/** Corrects the casing of names and resolves aliases. Throws for any other unknown name. */
function withKnownNames(tool: string, schema: z.ZodObject, given: Arguments): Arguments {
  const names = Object.keys(given);
  const isCorrect = names.every((name) => Object.hasOwn(schema.shape, name) && typeof given[name] !== "object");
  if (isCorrect) return given;
  const corrected = new Map<string, unknown>();
  for (const name of names) {
    const known = Object.hasOwn(schema.shape, name) ? name : knownName(tool, schema, name, given);
    if (corrected.has(known))
      throw new Fault("invalid_input", `Cannot call "${tool}": "${known}" is given twice`, { argument: known });
    const [field, value] = [schema.shape[known] as z.ZodType, given[name]];
    corrected.set(known, typeof value === "object" ? withKnownNamesInside(tool, field, value) : value);
  }
  return Object.fromEntries(corrected);
}

/** Corrects names in a list of objects, and joins text that comes in blocks, as in answers. */
function withKnownNamesInside(tool: string, field: z.ZodType, value: object | null): unknown {
  const list = field instanceof ZodOptional ? field.unwrap() : field;
  if (list instanceof ZodString) return textIn(value) ?? value;
  if (!Array.isArray(value) || !(list instanceof ZodArray) || !(list.element instanceof ZodObject)) return value;
  const { element } = list;
  return value.map((each) => (isRecord(each) ? withKnownNames(tool, element, each) : each));
}

/** Replaces blocks by their text wherever the schema expects a string. */
export function withFlattenedText(schema: z.ZodObject, given: unknown): unknown {
  if (!isRecord(given)) return given;
  const entries = Object.entries(given).map(([name, value]) => [name, textWithin(schema.shape[name], value)]);
  return Object.fromEntries(entries);
}

function textWithin(field: unknown, value: unknown): unknown {
  const type = field instanceof ZodOptional ? field.unwrap() : field;
  if (type instanceof ZodString) return textIn(value) ?? value;
  if (!Array.isArray(value) || !(type instanceof ZodArray) || !(type.element instanceof ZodObject)) return value;
  const { element } = type;
  return value.map((each) => withFlattenedText(element, each));
}

/**
 * Joins the text of blocks such as `[{ type: "text", text }]`, which some clients nest in `content` or `parts`. Returns
 * undefined for anything else.
 */
function textIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return depth > 0 ? value : undefined;
  if (depth > LIMITS.textBlockDepth || typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) {
    const { type = "text", text, content, parts }: Readonly<Record<string, unknown>> = { ...value };
    return type === "text" ? textIn(text ?? content ?? parts, depth + 1) : undefined;
  }
  const texts = value.map((each) => textIn(each, depth + 1));
  return texts.length > 0 && texts.every((each) => each !== undefined) ? texts.join("") : undefined;
}

function knownName(tool: string, schema: z.ZodObject, name: string, given: Arguments): string {
  const shape = Object.keys(schema.shape);
  const known = shape.find((each) => caseFolded(each) === caseFolded(name));
  const alias = ALIASES[caseFolded(name)];
  if (known !== undefined) return known;
  if (alias !== undefined && shape.includes(alias)) return alias;
  // An argument that is given by its own name is not suggested for another.
  const missing = shape.filter((each) => !Object.hasOwn(given, each));
  const help = didYouMean(name, missing, `it takes ${shape.join(", ") || "no arguments"}`);
  throw new Fault("invalid_input", `Cannot call "${tool}": there is no argument ${quotedInput(name)}; ${help}`, {
    argument: name.slice(0, LIMITS.quotedNameChars),
  });
}

const caseFolded = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** Describes an issue with the name of the argument that has it. */
export function issueText(issue: z.core.$ZodIssue, given: unknown): string {
  const { path, must, message } = issueTextOf(issue, given);
  if (path.length === 0) return message;
  return must === undefined ? `${argumentLabel(path)} is wrong: ${message}` : `${argumentLabel(path)} ${must}`;
}

/** Names an argument or a part of it: `"path"`, `"event_types" item 1`, `"oldText" in "edits" item 2`. */
function argumentLabel(path: readonly PropertyKey[]): string {
  const at = path.findLastIndex((part) => typeof part === "number");
  if (at < 1) return `"${path.join(".")}"`;
  const item = `"${path.slice(0, at).join(".")}" item ${Number(path[at]) + 1}`;
  return at === path.length - 1 ? item : `"${path.slice(at + 1).join(".")}" in ${item}`;
}
