import { HANDLE_BEGINS, HANDLES } from "../text/secret-handle.ts";
import { originalOf } from "../text/utf8.ts";
import type { Block } from "../tools/tool.ts";
import { partsAround, type Vault } from "./vault.ts";

interface Told {
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** The same answer without values. */
export function withoutSecrets<Result extends Told>(result: Result, vault: Vault, short: ReadonlySet<string>): Result {
  if (vault.size() === 0) return result;
  // A page stands in an answer twice.
  let page = { text: "", hidden: "" };
  const hide = (text: string): string => {
    if (text === page.text) return page.hidden;
    const hidden = hiddenIn(text, vault, short);
    if (text.length > page.text.length) page = { text, hidden };
    return hidden;
  };
  return saidBy(result, hide);
}

/** The same answer with every text in it changed. */
export function saidBy<Result extends Told>(result: Result, change: (text: string) => string): Result {
  const blocks = result.blocks.map((block) => (block.kind === "text" ? saying(block, change(block.text)) : block));
  return { ...result, blocks, data: withStrings(result.data, change) as Told["data"] };
}

/** What has nothing to hide stays the same block. */
const saying = (block: TextBlock, text: string): Block => (text === block.text ? block : { kind: "text", text });

type TextBlock = Extract<Block, { kind: "text" }>;

/** The same answer, saying which handles are in it. What only looks like one is not told: it would be refused. */
export function withHandlesTold<Result extends Told>(
  result: Result,
  vault: Vault,
  encoded: Iterable<string> = [],
): Result {
  const told = result.blocks.flatMap((block) => (block.kind === "text" ? handlesIn(block) : []));
  const shown = new Set([...told, ...encoded]);
  const handles = [...shown].filter(vault.knows);
  if (handles.length === 0) return result;
  return {
    ...result,
    blocks: [...result.blocks, { kind: "text", text: notice(handles) }],
    data: { ...result.data, masked_secrets: handles },
  };
}

/** Known where the text was read from bytes: to look into one that is not ASCII would make it wide. */
const handlesIn = (block: TextBlock): readonly string[] =>
  originalOf(block)?.handles ?? (block.text.includes(HANDLE_BEGINS) ? (block.text.match(HANDLES) ?? []) : []);

export function hiddenIn(text: string, vault: Vault, short?: ReadonlySet<string>): string {
  const spans = vault.find(text, short);
  if (spans.length === 0) return text;
  return [...partsAround(text.length, spans)]
    .map((part) => (typeof part === "string" ? part : text.slice(...part)))
    .join("");
}

const notice = (handles: readonly string[]): string => {
  const more = handles.length > SHOWN ? ` and ${handles.length - SHOWN} more` : "";
  return `[Secrets are shown as handles: ${handles.slice(0, SHOWN).join(", ")}${more}. Write a handle where its value is meant]`;
};

const SHOWN = 5;

/** The same value with every string in it changed, save those under the keys left out. */
export function withStrings(value: unknown, change: (text: string) => string, except?: ReadonlySet<string>): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => withStrings(each, change, except));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    except?.has(key) ? each : withStrings(each, change, except),
  ]);
  return Object.fromEntries(entries);
}
