import { fileURLToPath, pathToFileURL } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { nameIn } from "../../base/paths.ts";
import type { Version } from "../../base/version.ts";
import type { SafePath } from "../../storage/storage.ts";
import { isLspError, type LspClient } from "./lsp-client.ts";
import { errorsIn, type FoundError } from "./new-errors.ts";

/** A file that a server has open: it uses the text that we sent, and not the file on the disk. */
export interface OpenDocument {
  readonly place: SafePath;
  readonly version: Version;
  /** Is undefined until the server has reported the errors of this text. */
  readonly errors: readonly FoundError[] | undefined;
}

/** Holds the files that one server has open: an LRU of `LIMITS.openDocuments`. */
export interface OpenDocuments {
  at(place: SafePath): OpenDocument | undefined;
  all(): readonly OpenDocument[];
  /** Sends a text of a file, and forgets the errors of the one before. */
  show(place: SafePath, text: string, version: Version): void;
  close(place: SafePath): void;
  /** Waits for the server to publish the errors of the last text. */
  published(place: SafePath): Promise<readonly FoundError[]>;
  /** Requests the errors of the last text. */
  pull(place: SafePath): Promise<readonly FoundError[]>;
  /** Records what a server publishes. */
  onPublished(params: unknown): void;
}

interface Entry {
  readonly place: SafePath;
  version: Version;
  text: string;
  /** Counts the texts that were sent. */
  sent: number;
  errors: readonly FoundError[] | undefined;
  waiting: ((errors: readonly FoundError[]) => void)[];
}

export function createOpenDocuments(client: () => Pick<LspClient, "request" | "notify">): OpenDocuments {
  const entries = new Map<SafePath, Entry>();
  const close = (place: SafePath): void => {
    if (entries.delete(place)) client().notify("textDocument/didClose", { textDocument: { uri: uriOf(place) } });
  };
  const record = (entry: Entry, diagnostics: unknown): readonly FoundError[] => {
    const errors = errorsIn(diagnostics, entry.text);
    entry.errors = errors;
    for (const resolve of entry.waiting.splice(0)) resolve(errors);
    return errors;
  };
  return {
    at: (place) => entries.get(place),
    all: () => [...entries.values()],
    show(place, text, version) {
      const entry = entries.get(place) ?? { place, version, text, sent: 0, errors: undefined, waiting: [] };
      Object.assign(entry, { version, text, sent: entry.sent + 1, errors: undefined });
      sendText(client(), entry);
      entries.delete(place);
      entries.set(place, entry);
      const [oldest] = entries.keys();
      if (entries.size > LIMITS.openDocuments && oldest !== undefined) close(oldest);
    },
    close,
    published(place) {
      const entry = entries.get(place);
      if (!entry) return Promise.resolve([]);
      return entry.errors ? Promise.resolve(entry.errors) : new Promise((resolve) => entry.waiting.push(resolve));
    },
    async pull(place) {
      const report = await pullDiagnostics(client(), place);
      const entry = entries.get(place);
      return entry ? record(entry, isRecord(report) ? report["items"] : undefined) : [];
    },
    onPublished(params) {
      const { uri, version, diagnostics } = isRecord(params) ? params : {};
      const place = placeOf(uri);
      const entry = place === undefined ? undefined : entries.get(place);
      // A list for an older text may come late.
      if (entry && (typeof version !== "number" || version >= entry.sent)) record(entry, diagnostics);
    },
  };
}

function sendText({ notify }: Pick<LspClient, "notify">, { place, text, sent: version }: Entry): void {
  const uri = uriOf(place);
  if (version > 1)
    return notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  notify("textDocument/didOpen", { textDocument: { uri, languageId: languageOf(place), version, text } });
}

/** Requests the errors of a file again where the server was interrupted by a change that it had just received. */
async function pullDiagnostics({ request }: Pick<LspClient, "request">, place: SafePath): Promise<unknown> {
  for (;;) {
    try {
      return await request("textDocument/diagnostic", { textDocument: { uri: uriOf(place) } });
    } catch (error) {
      if (!isLspError(error) || !INTERRUPTED.has(error.code)) throw error;
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}

/** Holds the codes for "content modified" and "server cancelled". */
const INTERRUPTED: ReadonlySet<number> = new Set([-32_801, -32_802]);

const RETRY_MS = 50;

/** Returns the URI of a file, as the protocol names it. */
export const uriOf = (place: string): string => pathToFileURL(place).href;

/** Servers write the same URI in several ways, so that only paths can be compared. */
function placeOf(uri: unknown): SafePath | undefined {
  try {
    // The path is only looked up among those that are open.
    return typeof uri === "string" ? (fileURLToPath(uri) as SafePath) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the name of the language, which is the extension for most. */
function languageOf(place: SafePath): string {
  const name = nameIn(place);
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return LANGUAGES[extension] ?? extension;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  bash: "shellscript",
  cc: "cpp",
  cjs: "javascript",
  cs: "csharp",
  cts: "typescript",
  cxx: "cpp",
  ex: "elixir",
  exs: "elixir",
  h: "c",
  hpp: "cpp",
  hs: "haskell",
  js: "javascript",
  jsx: "javascriptreact",
  kt: "kotlin",
  md: "markdown",
  mjs: "javascript",
  mts: "typescript",
  pl: "perl",
  py: "python",
  pyi: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  ts: "typescript",
  tsx: "typescriptreact",
  yml: "yaml",
};
