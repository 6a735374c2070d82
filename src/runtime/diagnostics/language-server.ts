import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { nameIn } from "../../base/paths.ts";
import { PRODUCT } from "../../base/product.ts";
import type { Version } from "../../base/version.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { ChangedFile, ChangedPlace } from "./changed-files.ts";
import { createLspClient, isLspError, type LspClient, type StartServer } from "./lsp-client.ts";
import { type FoundError, newErrors } from "./new-errors.ts";
import { createOpenDocuments, type OpenDocuments, uriOf } from "./open-documents.ts";

/** A language server for one root. It starts when it is needed, and again after a failure, later each time. */
export interface LanguageServer {
  /** Returns the errors that a change brought, or the reason why they are not known. Takes at most `ms`. */
  check(change: CheckedChange, ms: number): Promise<CheckResult>;
  /** Reports files that changed, where the server runs. Waits for nothing. */
  report(places: readonly ChangedPlace[]): void;
  stop(): void;
}

export interface CheckedChange {
  readonly files: readonly ChangedFile[];
  readonly places: readonly ChangedPlace[];
  /** Returns the version of a file on the disk. */
  versionAt(place: SafePath): Promise<Version | undefined>;
}

export type CheckResult =
  | { readonly kind: "checked"; readonly files: readonly FileErrors[] }
  | { readonly kind: "unavailable"; readonly reason: string };

export interface FileErrors {
  readonly place: SafePath;
  readonly errors: readonly FoundError[];
}

export interface ServerOptions {
  readonly name: string;
  readonly root: string;
  readonly start: StartServer;
  readonly warn: (message: string) => void;
}

export function createLanguageServer({ name, root, start, warn }: ServerOptions): LanguageServer {
  const restarts = createBackOff();
  let connection: Promise<Connection> | undefined;
  let stop: (() => void) | undefined;
  let lastCheck: Promise<unknown> = Promise.resolve();
  let late = 0;
  const connected = (): Promise<Connection> => {
    if (connection) return connection;
    const opened = openConnection(root, start);
    stop = opened.client.stop;
    void opened.client.ended.then(({ reason, stderr }) => {
      connection = undefined;
      if (stop) warn(`The language server "${name}" failed: ${[reason, stderr.trim()].filter(Boolean).join(": ")}`);
      restarts.failed(reason);
    });
    return (connection = opened.ready);
  };
  const checked = async (change: CheckedChange): Promise<CheckResult> => {
    const files = await errorsBroughtBy(change, await connected());
    restarts.worked();
    return { kind: "checked", files };
  };
  return {
    async check(change, ms) {
      const reason = late > 0 ? "it is still busy with an earlier change" : restarts.reasonToWait();
      if (reason !== undefined) return { kind: "unavailable", reason };
      const check = lastCheck.then(() => checked(change)).catch(unavailable);
      lastCheck = check;
      const result = await inTime(check, ms);
      if (result) return result;
      late++;
      void check.then(() => late--);
      return { kind: "unavailable", reason: `it took longer than ${ms / 1000} s` };
    },
    report(places) {
      connection?.then(({ client }) => reportChanges(client, places)).catch(() => {});
    },
    stop() {
      stop?.();
      stop = undefined;
    },
  };
}

/** Every failure of a server means the same for an edit: there are no diagnostics. */
const unavailable = (error: unknown): CheckResult => ({
  kind: "unavailable",
  reason: isLspError(error) ? `it answered with the error ${error.code}` : (error as Error).message,
});

/** Returns undefined when the work takes longer; it goes on then. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Doubles the time that a server is left alone with each failure in a row. */
function createBackOff() {
  let failures = 0;
  let untilMs = 0;
  let last = "";
  return {
    worked: () => void (failures = 0),
    failed(reason: string): void {
      untilMs = Date.now() + Math.min(LIMITS.restartMs * 2 ** failures, LIMITS.restartMsMost);
      last = reason;
      failures++;
    },
    reasonToWait(): string | undefined {
      const waitMs = untilMs - Date.now();
      return waitMs <= 0 ? undefined : `${last}; it is started again after ${Math.ceil(waitMs / 1000)} s`;
    },
  };
}

/** A server that was initialized. */
interface Connection {
  readonly client: LspClient;
  readonly documents: OpenDocuments;
  /** Is true when the server is asked for errors, instead of publishing them. */
  readonly isAsked: boolean;
  /** Is true when a change of one file can bring errors to others. */
  readonly isAcrossFiles: boolean;
  readonly wantsSaves: boolean;
}

function openConnection(root: string, start: StartServer): { client: LspClient; ready: Promise<Connection> } {
  const documents = createOpenDocuments(() => client);
  const client = createLspClient(start, (method, params) => {
    if (method === "textDocument/publishDiagnostics") documents.onPublished(params);
  });
  return { client, ready: initialize(client, documents, root) };
}

async function initialize(client: LspClient, documents: OpenDocuments, root: string): Promise<Connection> {
  const result = await limited(client, () => client.request("initialize", initializeParams(root))).catch((error) => {
    client.kill(REFUSAL);
    throw isLspError(error) ? new Error(REFUSAL) : error;
  });
  client.notify("initialized", {});
  const capabilities = recordAt(result, "capabilities");
  const provider = capabilities["diagnosticProvider"];
  return {
    client,
    documents,
    isAsked: isRecord(provider),
    isAcrossFiles: isRecord(provider) && provider["interFileDependencies"] === true,
    wantsSaves: Boolean(recordAt(capabilities, "textDocumentSync")["save"]),
  };
}

const REFUSAL = "it refuses to start";

const recordAt = (value: unknown, key: string): Readonly<Record<string, unknown>> => {
  const found = isRecord(value) ? value[key] : undefined;
  return isRecord(found) ? found : {};
};

/** Leaves out the id of our process: in a sandbox the server cannot see it, and would end. */
const initializeParams = (root: string) => ({
  processId: null,
  clientInfo: { name: PRODUCT.name, version: PRODUCT.version },
  rootUri: uriOf(root),
  workspaceFolders: [{ uri: uriOf(root), name: nameIn(root) }],
  capabilities: {
    workspace: { configuration: true, workspaceFolders: true },
    textDocument: {
      synchronization: { didSave: true },
      publishDiagnostics: { versionSupport: true },
      diagnostic: { dynamicRegistration: false },
    },
  },
});

/** Kills a server that takes far too long, which rejects whatever waits for it. */
async function limited<T>(client: LspClient, work: () => Promise<T>): Promise<T> {
  client.resetAllowance();
  const timer = setTimeout(client.kill, LIMITS.languageServerMs, "it does not answer");
  timer.unref();
  const ended = client.ended.then(({ reason }): never => {
    throw new Error(reason);
  });
  return Promise.race([work(), ended]).finally(() => clearTimeout(timer));
}

const errorsBroughtBy = (change: CheckedChange, connection: Connection): Promise<readonly FileErrors[]> =>
  limited(connection.client, () => compare(change, connection));

/** Asks for the errors of the old texts, unless they are known, then for those of the new ones. */
async function compare(change: CheckedChange, connection: Connection): Promise<readonly FileErrors[]> {
  const { files, places } = change;
  const { client, documents, wantsSaves } = connection;
  await closeStale(change, documents);
  const before = new Map<SafePath, readonly FoundError[]>();
  await Promise.all(files.map(async (file) => before.set(file.place, await errorsBefore(file, connection))));
  const others = othersThan(change, documents);
  for (const { place, errors } of others) if (errors) before.set(place, errors);
  for (const { place, text, version } of files) documents.show(place, text, version);
  reportChanges(client, places);
  if (wantsSaves)
    for (const { place } of files) client.notify("textDocument/didSave", { textDocument: { uri: uriOf(place) } });
  const changed = await Promise.all(
    files.map(async ({ place }) => ({ place, errors: await errorsNow(place, connection) })),
  );
  const affected = await Promise.all(
    others.map(async ({ place }) => ({ place, errors: await errorsOfOther(place, connection) })),
  );
  return [...changed, ...affected]
    .filter(({ place }) => before.has(place))
    .map(({ place, errors }) => ({ place, errors: newErrors(before.get(place) ?? [], errors) }));
}

/** Closes files that somebody else changed: the server then reads them from the disk. */
async function closeStale(change: CheckedChange, documents: OpenDocuments): Promise<void> {
  for (const { place, version } of othersThan(change, documents))
    if ((await change.versionAt(place)) !== version) documents.close(place);
}

const othersThan = ({ files }: CheckedChange, documents: OpenDocuments) =>
  documents.all().filter(({ place }) => !files.some((file) => file.place === place));

async function errorsBefore({ place, before }: ChangedFile, connection: Connection): Promise<readonly FoundError[]> {
  if (before === null) return [];
  const { documents } = connection;
  const known = documents.at(place);
  if (known?.version === before.version && known.errors) return known.errors;
  documents.show(place, before.text, before.version);
  return errorsNow(place, connection);
}

const errorsNow = (place: SafePath, { documents, isAsked }: Connection): Promise<readonly FoundError[]> =>
  isAsked ? documents.pull(place) : documents.published(place);

/** Does not wait for a server that publishes errors by itself: it may have nothing to say about the file. */
async function errorsOfOther(place: SafePath, connection: Connection): Promise<readonly FoundError[]> {
  const { documents, isAsked, isAcrossFiles } = connection;
  return isAsked && isAcrossFiles ? documents.pull(place) : (documents.at(place)?.errors ?? []);
}

function reportChanges(client: LspClient, places: readonly ChangedPlace[]): void {
  const changes = places.map(({ place, type }) => ({ uri: uriOf(place), type }));
  client.notify("workspace/didChangeWatchedFiles", { changes });
}
