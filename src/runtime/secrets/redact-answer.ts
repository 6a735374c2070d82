import { mapStrings } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { hasPlaceholder, PLACEHOLDERS } from "../../text/secrets/placeholder.ts";
import { originalOf } from "../../text/encoding/utf8.ts";
import { type Block, bracketed } from "../../tools/tool.ts";
import { partsBetween, type SecretRegistry } from "./registry.ts";

interface AnswerContent {
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Replaces all values in an answer by placeholders. */
export function withoutSecrets<Result extends AnswerContent>(
  result: Result,
  registry: SecretRegistry,
  short: ReadonlySet<string>,
): Result {
  // An answer holds the same page twice, as a block and as data.
  let page = { text: "", hidden: "" };
  const hide = (text: string): string => {
    if (text === page.text) return page.hidden;
    const hidden = redactedText(text, registry, short);
    if (text.length > page.text.length) page = { text, hidden };
    return hidden;
  };
  return mapTexts(result, hide);
}

/** Maps every text in an answer. */
export function mapTexts<Result extends AnswerContent>(result: Result, change: (text: string) => string): Result {
  const blocks = result.blocks.map((block) => (block.kind === "text" ? withText(block, change(block.text)) : block));
  return { ...result, blocks, data: mapStrings(result.data, change) as AnswerContent["data"] };
}

/** Keeps the identity of a block that does not change, since its original bytes are attached to it. */
const withText = (block: TextBlock, text: string): Block => (text === block.text ? block : { kind: "text", text });

type TextBlock = Extract<Block, { kind: "text" }>;

/** Remembers which placeholders, and the placeholders of which files, were explained to a session. */
export interface ReportedPlaceholders {
  /** Adds placeholders and files. Returns true where one of them is new to the session. */
  addNew(placeholders: readonly string[], files: Iterable<string>): boolean;
}

export function createReportedPlaceholders(): ReportedPlaceholders {
  const reported = new Set<string>();
  return {
    addNew(placeholders, files) {
      if (reported.size > LIMITS.reportedPlaceholders) reported.clear();
      const before = reported.size;
      for (const each of [...placeholders, ...files]) reported.add(each);
      return reported.size > before;
    },
  };
}

/** Lists the files with secrets that a call has opened, and the placeholders that its answer holds encoded. */
interface PlaceholderUse {
  readonly reported: ReportedPlaceholders;
  readonly files: Iterable<string>;
  readonly encoded?: Iterable<string>;
}

/**
 * Adds a note that explains the placeholders in an answer, once per file and session. What only looks like a
 * placeholder is not in the note, since it would be refused.
 */
export function withPlaceholderNote<Result extends AnswerContent>(
  result: Result,
  registry: SecretRegistry,
  { reported, files, encoded = [] }: PlaceholderUse,
): Result {
  const written = result.blocks.flatMap((block) => (block.kind === "text" ? placeholdersIn(block) : []));
  const shown = new Set([...written, ...encoded]);
  const placeholders = [...shown].filter(registry.has);
  if (placeholders.length === 0 || !reported.addNew(placeholders, files)) return result;
  const note = placeholderNote(placeholders);
  const { notes = [] } = result.data as { readonly notes?: readonly string[] };
  return {
    ...result,
    blocks: [...result.blocks, { kind: "text", text: bracketed(note) }],
    data: { ...result.data, masked_secrets: placeholders, notes: [...notes, note] },
  };
}

/**
 * Uses the list that was made with the bytes of a text: searching a text that is not ASCII would flatten it to two
 * bytes per character.
 */
const placeholdersIn = (block: TextBlock): readonly string[] =>
  originalOf(block)?.placeholders ?? (hasPlaceholder(block.text) ? (block.text.match(PLACEHOLDERS) ?? []) : []);

export function redactedText(text: string, registry: SecretRegistry, short?: ReadonlySet<string>): string {
  const spans = registry.find(text, short);
  if (spans.length === 0) return text;
  return [...partsBetween(text.length, spans)]
    .map((part) => (typeof part === "string" ? part : text.slice(...part)))
    .join("");
}

/** Explains the placeholders in an answer. */
export const placeholderNote = (placeholders: readonly string[]): string => {
  const more = placeholders.length > SHOWN_PLACEHOLDERS ? ` and ${placeholders.length - SHOWN_PLACEHOLDERS} more` : "";
  return `Secrets are shown as placeholders: ${placeholders.slice(0, SHOWN_PLACEHOLDERS).join(", ")}${more}. Write a placeholder where its value is meant`;
};

const SHOWN_PLACEHOLDERS = 5;
