import * as z from "zod";
import { parseStored } from "../../base/stored-json.ts";
import { plural } from "../../text/plural.ts";
import { type AuditFile, hashOf } from "./audit.ts";

/** Describes what is wrong with one line of the audit log. */
export interface AuditFlaw {
  readonly file: string;
  readonly line: number;
  readonly flaw: string;
}

export interface AuditCheck {
  readonly records: number;
  readonly flaws: readonly AuditFlaw[];
}

/** Holds the last link of a chain that was verified. */
interface ChainState {
  readonly n: number;
  readonly hash: string;
  readonly at: string;
}

const chainLink = z.object({ chain: z.string(), n: z.number(), previous: z.string() });

type ChainLink = Readonly<z.output<typeof chainLink>>;

/**
 * Finds lines that were altered, removed, added or moved. Lines removed from the end of the log leave no trace.
 * `progress` receives how many lines were checked, and of how many.
 */
export function checkAudit(
  files: readonly AuditFile[],
  progress: (done: number, total: number) => void = () => {},
): AuditCheck {
  const chains = new Map<string, ChainState>();
  const hashes = new Set([""]);
  const flaws: AuditFlaw[] = [];
  let records = 0;
  const parts = files.map(({ name, text }) => ({ name, lines: linesIn(text) }));
  const total = parts.reduce((sum, { lines }) => sum + lines.length, 0);
  for (const { name, lines } of parts) {
    for (const [index, line] of lines.entries()) {
      const at = { file: name, line: index + 1 };
      const linked = parseStored(chainLink, line);
      const flaw = linked ? flawOf(linked, chains.get(linked.chain), hashes) : "it is no record";
      if (flaw !== undefined) flaws.push({ ...at, flaw });
      if (linked) chains.set(linked.chain, { n: linked.n, hash: hashOf(line), at: `${name}:${index + 1}` });
      hashes.add(hashOf(line));
      progress(++records, total);
    }
  }
  return { records, flaws };
}

const linesIn = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function flawOf(
  { n, previous }: ChainLink,
  before: ChainState | undefined,
  hashes: ReadonlySet<string>,
): string | undefined {
  const expected = (before?.n ?? 0) + 1;
  if (n > expected) return `${plural(n - expected, "record")} of its chain missing before it`;
  if (n < expected) return "it is out of order, or here twice";
  if (!before) return hashes.has(previous) ? undefined : "what was written before it is missing or was altered";
  return previous === before.hash ? undefined : `the record before it in its chain, ${before.at}, was altered`;
}
