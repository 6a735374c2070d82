import { HANDLE_BEGINS, HANDLES } from "../text/secret-handle.ts";
import type { Block } from "../tools/tool.ts";
import { partsAround, type Vault } from "./vault.ts";

interface Told {
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** The same answer without values, saying which handles are in it. */
export function withoutSecrets<Result extends Told>(result: Result, vault: Vault, short: ReadonlySet<string>): Result {
  if (vault.size() === 0) return result;
  // A page stands in an answer twice.
  const known = new Map<string, string>();
  const hide = (text: string): string => {
    const hidden = known.get(text) ?? hiddenIn(text, vault, short);
    known.set(text, hidden);
    return hidden;
  };
  const blocks = result.blocks.map((block) => (block.kind === "text" ? { ...block, text: hide(block.text) } : block));
  const data = withStrings(result.data, hide) as Told["data"];
  const handles = handlesIn(known.values());
  if (handles.length === 0) return { ...result, blocks, data };
  return {
    ...result,
    blocks: [...blocks, { kind: "text", text: notice(handles) }],
    data: { ...data, masked_secrets: handles },
  };
}

export function hiddenIn(text: string, vault: Vault, short?: ReadonlySet<string>): string {
  const spans = vault.find(text, short);
  if (spans.length === 0) return text;
  return [...partsAround(text.length, spans)]
    .map((part) => (typeof part === "string" ? part : text.slice(...part)))
    .join("");
}

const handlesIn = (texts: Iterable<string>): readonly string[] => [
  ...new Set([...texts].flatMap((text) => (text.includes(HANDLE_BEGINS) ? (text.match(HANDLES) ?? []) : []))),
];

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
