import { LIMITS } from "../../base/limits.ts";
import { PLACEHOLDER_START, PLACEHOLDERS } from "../../text/secrets/placeholder.ts";
import { originalOf } from "../../text/encoding/utf8.ts";
import { type Block, bracketed } from "../../tools/tool.ts";
import { partsBetween, type SecretRegistry } from "./registry.ts";

interface AnswerContent {
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** The same answer without values. */
export function withoutSecrets<Result extends AnswerContent>(
  result: Result,
  registry: SecretRegistry,
  short: ReadonlySet<string>,
): Result {
  if (registry.size() === 0) return result;
  // A page stands in an answer twice.
  let page = { text: "", hidden: "" };
  const hide = (text: string): string => {
    if (text === page.text) return page.hidden;
    const hidden = redactedText(text, registry, short);
    if (text.length > page.text.length) page = { text, hidden };
    return hidden;
  };
  return mapTexts(result, hide);
}

/** The same answer with every text in it changed. */
export function mapTexts<Result extends AnswerContent>(result: Result, change: (text: string) => string): Result {
  const blocks = result.blocks.map((block) => (block.kind === "text" ? withText(block, change(block.text)) : block));
  return { ...result, blocks, data: mapStrings(result.data, change) as AnswerContent["data"] };
}

/** What has nothing to hide stays the same block. */
const withText = (block: TextBlock, text: string): Block => (text === block.text ? block : { kind: "text", text });

type TextBlock = Extract<Block, { kind: "text" }>;

/** Remembers for one session which handles, and the handles of which files, it was told of. */
export interface ReportedPlaceholders {
  /** Whether one of the handles, or one of the files that were opened, is new to the session; then it is no more. */
  addNew(handles: readonly string[], files: Iterable<string>): boolean;
}

export function createReportedPlaceholders(): ReportedPlaceholders {
  const told = new Set<string>();
  return {
    addNew(handles, files) {
      if (told.size > LIMITS.reportedPlaceholders) told.clear();
      const before = told.size;
      for (const each of [...handles, ...files]) told.add(each);
      return told.size > before;
    },
  };
}

/** What a call has met: the files with secrets in them, and the handles that stand in an answer in another encoding. */
interface PlaceholderUse {
  readonly reported: ReportedPlaceholders;
  readonly files: Iterable<string>;
  readonly encoded?: Iterable<string>;
}

/**
 * The same answer, with a note that explains the handles in it, once per file and session. What only looks like a handle
 * is not told: it would be refused.
 */
export function withPlaceholderNote<Result extends AnswerContent>(
  result: Result,
  registry: SecretRegistry,
  { reported, files, encoded = [] }: PlaceholderUse,
): Result {
  const written = result.blocks.flatMap((block) => (block.kind === "text" ? placeholdersIn(block) : []));
  const shown = new Set([...written, ...encoded]);
  const handles = [...shown].filter(registry.has);
  if (handles.length === 0 || !reported.addNew(handles, files)) return result;
  const note = placeholderNote(handles);
  const { notes = [] } = result.data as { readonly notes?: readonly string[] };
  return {
    ...result,
    blocks: [...result.blocks, { kind: "text", text: bracketed(note) }],
    data: { ...result.data, masked_secrets: handles, notes: [...notes, note] },
  };
}

/** Known where the text was read from bytes: to look into one that is not ASCII would make it wide. */
const placeholdersIn = (block: TextBlock): readonly string[] =>
  originalOf(block)?.handles ?? (block.text.includes(PLACEHOLDER_START) ? (block.text.match(PLACEHOLDERS) ?? []) : []);

export function redactedText(text: string, registry: SecretRegistry, short?: ReadonlySet<string>): string {
  const spans = registry.find(text, short);
  if (spans.length === 0) return text;
  return [...partsBetween(text.length, spans)]
    .map((part) => (typeof part === "string" ? part : text.slice(...part)))
    .join("");
}

/** Explains the handles that stand in an answer. */
export const placeholderNote = (handles: readonly string[]): string => {
  const more = handles.length > SHOWN_PLACEHOLDERS ? ` and ${handles.length - SHOWN_PLACEHOLDERS} more` : "";
  return `Secrets are shown as handles: ${handles.slice(0, SHOWN_PLACEHOLDERS).join(", ")}${more}. Write a handle where its value is meant`;
};

const SHOWN_PLACEHOLDERS = 5;

/** The same value with every string in it changed, save those under the keys left out. */
export function mapStrings(value: unknown, change: (text: string) => string, except?: ReadonlySet<string>): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change, except));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    except?.has(key) ? each : mapStrings(each, change, except),
  ]);
  return Object.fromEntries(entries);
}
