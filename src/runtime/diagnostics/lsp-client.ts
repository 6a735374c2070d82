import { isRecord } from "../../base/json.ts";
import { isDeeperThan } from "../../base/json-depth.ts";
import { LIMITS } from "../../base/limits.ts";
import type { PipedProgram } from "../../base/program.ts";
import { createFrameSplitter, framed } from "./frame-splitter.ts";

/** Exchanges messages with a language server. */
export interface LspClient {
  /** Rejects with the error of the server, and when the server ends. */
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  /** Allows the server to send as much as one check may need. */
  resetAllowance(): void;
  /** Resolves when the server has ended. */
  readonly ended: Promise<ServerEnd>;
  /** Kills it, for this reason. */
  kill(reason: string): void;
  /** Says goodbye, and ends it. */
  stop(): void;
}

/** Says why a server has ended. Its standard error is for the operator only. */
export interface ServerEnd {
  readonly reason: string;
  readonly stderr: string;
}

/** Starts the program of a language server, and calls `onOutput` for what it prints. */
export type StartServer = (onOutput: (bytes: Buffer) => void) => PipedProgram;

/** An error that a server answers a request with. */
export interface LspError {
  readonly code: number;
}

export const isLspError = (error: unknown): error is LspError => isRecord(error) && typeof error["code"] === "number";

export function createLspClient(start: StartServer, onNotification: OnNotification): LspClient {
  const open = new Map<number, PendingRequest>();
  let last = 0;
  let allowance: number = LIMITS.languageServerBytes;
  let reason: string | undefined;
  const kill = (why: string): void => {
    reason ??= why;
    program.kill();
  };
  const split = createFrameSplitter({ message: (text) => receive(messageIn(text)), broken: kill });
  const program = start((bytes) => {
    allowance -= bytes.length;
    if (allowance < 0) kill("it sends too much");
    if (reason === undefined) split(bytes);
  });
  const send = (message: object): void => program.write(framed(JSON.stringify({ jsonrpc: "2.0", ...message })));
  const notify = (method: string, params: object): void => send({ method, params });
  const ended = program.exited.then(({ code, stderr }) => {
    reason ??=
      code === null ? "it does not run" : code === NOT_FOUND ? "it is not there" : `it ended with code ${code}`;
    return { reason, stderr };
  });
  void ended.then(({ reason: why }) => {
    open.forEach(({ reject }) => reject(new Error(why)));
    open.clear();
  });

  function receive(message: Readonly<Record<string, unknown>> | undefined): void {
    const { id, method, params, result, error } = message ?? {};
    if (typeof method === "string") {
      if (id === undefined) onNotification(method, params);
      else send({ id, ...replyTo(method, params) });
      return;
    }
    const pending = open.get(Number(id));
    open.delete(Number(id));
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(error);
  }

  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (reason !== undefined) return reject(new Error(reason));
      open.set(++last, { resolve, reject });
      send({ id: last, method, params });
    });
  return {
    request,
    notify,
    resetAllowance: () => void (allowance = LIMITS.languageServerBytes),
    ended,
    kill,
    stop() {
      reason ??= "it was stopped";
      send({ id: ++last, method: "shutdown" });
      notify("exit", {});
      program.stop();
    },
  };
}

/** The exit code of programs that start another, where they do not find it. */
const NOT_FOUND = 127;

type OnNotification = (method: string, params: unknown) => void;

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Ignores what is no message. */
function messageIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (isDeeperThan(text, LIMITS.messageDepth)) return undefined;
  try {
    const message: unknown = JSON.parse(text);
    return isRecord(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Accepts what needs nothing of us, has no settings, and lets no server edit files. */
function replyTo(method: string, params: unknown): object {
  if (method === "workspace/configuration") {
    const items = isRecord(params) && Array.isArray(params["items"]) ? params["items"] : [];
    return { result: items.slice(0, MOST_SETTINGS).map(() => null) };
  }
  if (method === "workspace/applyEdit") return { result: { applied: false } };
  return ACCEPTED.has(method) ? { result: null } : { error: { code: -32_601, message: "Method not found" } };
}

const MOST_SETTINGS = 1000;

const ACCEPTED: ReadonlySet<string> = new Set([
  "client/registerCapability",
  "client/unregisterCapability",
  "window/workDoneProgress/create",
  "workspace/diagnostic/refresh",
]);
