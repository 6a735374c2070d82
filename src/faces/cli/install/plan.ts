import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Fault, isFault } from "../../../base/errors.ts";
import { errnoOf } from "../../../base/errno.ts";
import { isRecord } from "../../../base/json.ts";
import type { ConfigEntry, EntryPath } from "../../../text/config-files/config-editor.ts";
import { quoted } from "../../../text/quote.ts";
import type { Client } from "./clients.ts";
import { type Connection, type EntryShape, isOurs } from "./entries.ts";

/** Changes one configuration file. */
export interface InstallPlan {
  readonly client: Client;
  readonly file: string;
  /** The content that the plan is for; undefined if the file does not exist. */
  readonly before: Buffer | undefined;
  /** The new content; undefined if nothing has to change. */
  readonly after: string | undefined;
}

/** Plans to put an entry into the file of a client. Throws for a file that is unclear and for an entry of others. */
export const planInstall = (client: Client, file: string, name: string, connection: Connection): InstallPlan =>
  withFileName(file, () => {
    const before = contentOf(file);
    const text = textIn(before);
    const { path, shape } = layoutOf(client, text, name);
    const entry = entryOf(client, shape, connection, name);
    const old = client.editor.find(text, path);
    if (old && hasAllOf(old, entry)) return { client, file, before, after: undefined };
    if (old) requireOurs(old, entry, name);
    return { client, file, before, after: client.editor.put(text, path, entry) };
  });

/** Plans to remove our entry. */
export const planRemoval = (client: Client, file: string, name: string): InstallPlan =>
  withFileName(file, () => {
    const before = contentOf(file);
    const text = textIn(before);
    const { path } = layoutOf(client, text, name);
    const old = client.editor.find(text, path);
    if (!old) return { client, file, before, after: undefined };
    if (!isOurs(old)) throw otherEntryFault(name);
    return { client, file, before, after: client.editor.remove(text, path) };
  });

/** Returns the part of a configuration file that holds the entry alone. */
export function configBlock(client: Client, name: string, connection: Connection): string {
  const { path, shape } = layoutOf(client, "", name);
  return client.editor.put("", path, entryOf(client, shape, connection, name));
}

/** Returns the entry of a file if it is ours. */
export function installedEntry(client: Client, file: string, name: string): ConfigEntry | undefined {
  return withFileName(file, () => {
    const text = textIn(contentOf(file));
    const entry = client.editor.find(text, layoutOf(client, text, name).path);
    return entry && isOurs(entry) ? entry : undefined;
  });
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw new Fault("io", `it cannot be read (${errnoOf(error) ?? String(error)})`, {}, error);
  }
}

function textIn(bytes: Buffer = Buffer.alloc(0)): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault("invalid_input", "it is not text in UTF-8");
  }
}

/** Returns where an entry belongs and its shape: in the newer layout where the file has that. */
function layoutOf(
  { editor, key, shape, deeper }: Client,
  text: string,
  name: string,
): { path: EntryPath; shape: EntryShape } {
  const nested = deeper && editor.find(text, [key]) && editor.find(text, [key])?.[deeper.key];
  const isNested = typeof nested === "object" && nested !== null && !("command" in nested) && !("url" in nested);
  return deeper && isNested ? { path: [key, deeper.key, name], shape: deeper.shape } : { path: [key, name], shape };
}

function entryOf({ title }: Client, shape: EntryShape, connection: Connection, name: string): ConfigEntry {
  if (connection.kind === "stdio") return shape.stdio(connection, name);
  if (shape.http) return shape.http(connection, name);
  throw new Fault("invalid_input", `${title} starts programs only; leave out --http`);
}

/** Checks that an entry has all values of another one. It may have more, such as an environment. */
const hasAllOf = (old: ConfigEntry, entry: ConfigEntry): boolean =>
  Object.entries(entry).every(([key, value]) => value === undefined || isDeepStrictEqual(old[key], value));

/** Throws for an entry of another program, and for one of ours to which somebody has added settings. */
function requireOurs(old: ConfigEntry, entry: ConfigEntry, name: string): void {
  if (!isOurs(old)) throw otherEntryFault(name);
  const added = Object.keys(old).filter((key) => isAdded(key, old[key], entry));
  if (added.length === 0) return;
  throw new Fault(
    "invalid_input",
    `the entry ${quoted(name)} also sets ${added.map(quoted).join(", ")}; change it by hand, or use --remove first`,
  );
}

/** Returns true for a setting that a new entry would lose and that we do not write ourselves. */
function isAdded(key: string, value: unknown, entry: ConfigEntry): boolean {
  if (HEADERS.has(key) || isEmptyRecord(value)) return false;
  if (isRecord(value) || typeof value === "symbol") return true;
  return !CONNECTION_KEYS.has(key) && !Object.hasOwn(entry, key);
}

const isEmptyRecord = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;

const HEADERS: ReadonlySet<string> = new Set(["headers", "http_headers"]);

/** Keys that entries of ours have for one kind of connection and lack for the other. */
const CONNECTION_KEYS: ReadonlySet<string> = new Set(
  "command args cmd type transport url uri serverUrl httpUrl".split(" "),
);

const otherEntryFault = (name: string): Fault =>
  new Fault(
    "exists",
    `the entry ${quoted(name)} does not start holdfast; rename it, or choose another name with --name`,
  );

/** Puts the name of the file in front of what is wrong with it. */
function withFileName<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isFault(error)) throw error;
    const advice = error.message.includes("; ") ? "" : "; put it right, or add the block that --print shows by hand";
    throw new Fault(error.code, `Cannot change ${quoted(file)}: ${error.message}${advice}`, error.details, error);
  }
}
