import { isIP } from "node:net";
import type { ConfigEntry } from "../../../text/config-files/config-editor.ts";

/** Starts the server as a program, or reaches one that runs. */
export type Connection =
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

type Stdio = Extract<Connection, { kind: "stdio" }>;
type Http = Extract<Connection, { kind: "http" }>;

/** Formats a connection as an entry of a client's configuration. */
export interface EntryShape {
  readonly stdio: (connection: Stdio, name: string) => ConfigEntry;
  /** Is absent for clients that only start programs. */
  readonly http?: (connection: Http, name: string) => ConfigEntry;
}

const program = ({ command, args }: Stdio) => ({ command, args });
const remote = ({ url, headers }: Http) => ({ url, ...(headers && { headers }) });

/** Most clients: a command with arguments; a URL with headers. */
export const PLAIN: EntryShape = { stdio: program, http: remote };

export const STDIO_ONLY: EntryShape = { stdio: program };

/** A URL with a type. */
export const HTTP_TYPED: EntryShape = { stdio: program, http: (to) => ({ type: "http", ...remote(to) }) };

/** Both with a type. */
export const TYPED: EntryShape = {
  stdio: (start) => ({ type: "stdio", ...program(start) }),
  http: (to) => ({ type: "http", ...remote(to) }),
};

export const SERVER_URL: EntryShape = {
  stdio: program,
  http: ({ url, headers }) => ({ serverUrl: url, ...(headers && { headers }) }),
};

export const CODEX: EntryShape = {
  stdio: program,
  http: ({ url, headers }) => ({ url, ...(headers && { http_headers: headers }) }),
};

export const ZED: EntryShape = {
  stdio: (start) => ({ source: "custom", ...program(start), env: {} }),
  http: (to) => ({ source: "custom", type: "http", ...remote(to) }),
};

export const CLINE: EntryShape = {
  stdio: (start) => ({ ...program(start), disabled: false }),
  http: (to) => ({ type: "streamableHttp", ...remote(to), disabled: false }),
};

export const ROO: EntryShape = { stdio: program, http: (to) => ({ type: "streamable-http", ...remote(to) }) };

export const COPILOT: EntryShape = {
  stdio: (start) => ({ type: "stdio", ...program(start), tools: ["*"] }),
  http: (to) => ({ type: "http", ...remote(to), tools: ["*"] }),
};

export const KIMI: EntryShape = {
  stdio: (start) => ({ transport: "stdio", ...program(start) }),
  http: (to) => ({ transport: "http", ...remote(to) }),
};

/** The layout of opencode: the command and its arguments are one list. */
export const OPENCODE: EntryShape = {
  stdio: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
  http: (to) => ({ type: "remote", ...remote(to), enabled: true }),
};

/** The newer layout of opencode has no `enabled`. */
export const OPENCODE_SERVERS: EntryShape = {
  stdio: ({ command, args }) => ({ type: "local", command: [command, ...args] }),
  http: (to) => ({ type: "remote", ...remote(to) }),
};

export const FX: EntryShape = {
  stdio: OPENCODE.stdio,
  http: (to) => ({ type: "http", ...remote(to), enabled: true }),
};

export const GOOSE: EntryShape = {
  stdio: ({ command, args }, name) => ({
    name,
    description: DESCRIPTION,
    type: "stdio",
    cmd: command,
    args,
    envs: {},
    enabled: true,
    timeout: 300,
  }),
  http: ({ url, headers = {} }, name) => ({
    name,
    description: DESCRIPTION,
    type: "streamable_http",
    uri: url,
    headers,
    enabled: true,
    timeout: 300,
  }),
};

const DESCRIPTION = "Files for AI agents";

/** Returns true for an entry that starts this program, or that reaches a server on this machine. */
export const isOurs = (entry: ConfigEntry): boolean =>
  stringsIn(entry, ["command", "cmd", "args"]).some((word) => PROGRAM.test(word)) ||
  stringsIn(entry, ["url", "uri", "serverUrl", "httpUrl"]).some(isLocalUrl);

const stringsIn = (entry: ConfigEntry, keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) => entry[key]).filter((value) => typeof value === "string");

const PROGRAM = /(?:^|[\\/])holdfast(?:\.cjs|@[\w.-]+)?$/;

function isLocalUrl(value: string): boolean {
  if (!/^https?:/.test(value) || !URL.canParse(value)) return false;
  const host = new URL(value).hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
