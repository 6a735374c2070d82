import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createApp } from "../../src/app/app.ts";
import type { Options } from "../../src/app/options.ts";
import { loadDialect } from "../../src/dialects/load.ts";
import type { Reply } from "../../src/runtime/pipeline/surface.ts";
import { layout } from "../layout.ts";
import { spelled } from "../../src/testing/tree.ts";

/** One call in a dialect, in a tree of its own. In every text $ABS is the root, $OUT the directory beside it. */
export interface DialectCase {
  readonly name: string;
  /** The tree, line by line as `layout` takes it, and files that are no text. */
  readonly has?: readonly string[];
  readonly bytes?: Readonly<Record<string, Uint8Array>>;
  /** Calls that must succeed before the one that counts. */
  readonly before?: readonly Call[];
  readonly call: Call;
  /** The text of the first block of the answer, whole or as a pattern. */
  readonly says: string | RegExp;
  /** The code of the fault, where it is one. */
  readonly fails?: string;
  /** A fault that is no error in this dialect. */
  readonly isError?: false;
  /** Structured output, where it is not what the dialect makes of the text. */
  readonly data?: unknown;
  /** Notes that the answer carries besides its data. */
  readonly notes?: readonly string[];
  readonly isSilent?: true;
  /** Expected content of each path after the call: a text, bytes, a mode, or nothing. */
  readonly leaves?: Readonly<Record<string, Left>>;
  readonly options?: (root: string) => Partial<Options>;
}

type Left = string | Uint8Array | { readonly mode: number } | null;
type Call = readonly [tool: string, input?: unknown];

/** Runs a case on the real engine: what happened, and what should have. */
export async function runCase(
  dialect: string,
  each: DialectCase,
  dataOf: (tool: string, text: string) => unknown,
): Promise<{ readonly happened: unknown; readonly promised: unknown }> {
  const root = layout(each.has ?? []);
  for (const [name, bytes] of Object.entries(each.bytes ?? {})) writeFileSync(join(root, name), bytes);
  const app = createApp({
    roots: [root],
    stateDirectory: join(dirname(root), "state"),
    dialect: await loadDialect(dialect),
    ...each.options?.(root),
  });
  onTestFinished(() => app.close());
  const ask = ([tool, input = {}]: Call): Promise<Reply> =>
    app.surface.call({ tool, input: spelledIn(input, root), signal: { aborted: false } });
  for (const call of each.before ?? []) expect(await ask(call)).toMatchObject({ isError: false });
  const { code, isError, blocks, data: all, isSilent } = await ask(each.call);
  const { notes, ...rest } = all ?? {};
  const data = all && rest;
  const text = textIn(blocks[0]);
  const names = Object.keys(each.leaves ?? {});
  const left = names.map((name) => found(join(root, name), each.leaves?.[name]));
  return {
    happened: { code, isError, text, data, notes, isSilent, left },
    promised: {
      code: each.fails ?? "ok",
      isError: each.isError ?? each.fails !== undefined,
      text: wanted(each.says, root),
      data: "data" in each ? spelledIn(each.data, root) : each.fails ? expect.anything() : dataOf(each.call[0], text),
      notes: spelledIn(each.notes, root),
      isSilent: each.isSilent,
      left: names.map((name) => each.leaves?.[name]),
    },
  };
}

const textIn = (block: Reply["blocks"][number] | undefined): string => (block?.kind === "text" ? block.text : "");

const wanted = (says: string | RegExp, root: string): unknown =>
  typeof says === "string" ? spelled(says, root) : expect.stringMatching(says);

/** Every text in a value, filled in. */
function spelledIn(value: unknown, root: string): unknown {
  if (typeof value === "string") return spelled(value, root);
  if (Array.isArray(value)) return value.map((each) => spelledIn(each, root));
  if (typeof value !== "object" || value === null || "asymmetricMatch" in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spelledIn(each, root)]));
}

/** Returns what is at a path, in the form of the expectation. */
function found(path: string, promised: Left | undefined): Left {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  if (typeof promised === "object" && promised !== null && "mode" in promised) return { mode: stats.mode & 0o7777 };
  return promised instanceof Uint8Array
    ? readFileSync(path)
    : stats.isFile()
      ? readFileSync(path, "utf8")
      : "[directory]";
}
