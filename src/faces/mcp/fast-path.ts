import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Fault } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { jsonBytesOf } from "../../text/encoding/utf8.ts";
import { aboutOf } from "./about.ts";
import { createCallQueue } from "./call-line.ts";
import { type ClientQuestions, createClientQuestions } from "./client-questions.ts";
import { createTuner } from "./engine.ts";
import { createLazySdk } from "./lazy-sdk.ts";
import { createNotifier } from "./notifier.ts";
import type { ServedApp } from "./served-app.ts";
import { showsForms } from "./question-form.ts";
import { toCallToolJson, toListedTool } from "./render.ts";
import { requestOf } from "./request.ts";
import type { Wire } from "./wire.ts";

/**
 * A short cut on the wire: a client that opens with the 2025 handshake has that, the list of tools and its calls answered
 * here, and everything else by the SDK behind, which is loaded only then. Same answers, for less (docs/decisions/004).
 */
export function serveFastPath(wire: Wire, servedApp: ServedApp, { warn, abort }: OperatorWarnings): void {
  const { surface } = servedApp;
  let era: "unknown" | "2025" | "other" = "unknown";
  let questions: ClientQuestions | undefined;
  const { notify, log, observe } = createNotifier(wire, surface.files !== undefined);
  const tune = createTuner();
  const sdk = createLazySdk(wire, servedApp, warn);
  const calls = createCallQueue<ToolCall>(async ({ id, params }, signal) => {
    tune();
    const asked = { signal, _meta: params._meta, notify, log };
    const outcome = await surface.call(requestOf(params.name, params.arguments, asked, questions?.channel));
    const behind = signal.aborted ? undefined : wire.answer(id, toCallToolJson(outcome));
    if (behind) await behind;
  });
  const reply = ({ id }: JSONRPCRequest, result: object): unknown => wire.answer(id, [jsonBytesOf(result)]);
  const list = (message: JSONRPCRequest): void => {
    const tell = (): unknown => reply(message, { tools: surface.tools.map(toListedTool) });
    void (surface.ready ? surface.ready().then(tell) : tell());
  };
  surface.onToolsChanged?.(() => {
    if (era === "2025") void wire.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    else sdk.notifyToolsChanged();
  });
  wire.onmessage = (message) => {
    if (era === "unknown") return greet(message);
    if (era === "2025" && isToolCall(message)) calls.add(message);
    else if (era === "2025" && isToolList(message)) list(message);
    else if (isInitialized(message)) sdk.recordAnswered(message);
    else if (!questions?.isAnswer(message) && !isCancelled(message)) sdk.forward(observe(message));
  };
  wire.onclose = () => {
    calls.close();
    sdk.close();
  };

  /** The first message tells the era. */
  function greet(message: JSONRPCMessage): void {
    era = protocolEraOf(message, servedApp);
    if (servedApp.noRootsFault && era === "2025") return abort(message, servedApp.noRootsFault);
    if (era === "other" || !isHandshake(message)) return sdk.forward(message);
    sdk.recordAnswered(message);
    if (showsForms(message.params.capabilities))
      questions = createClientQuestions(wire, message.params.clientInfo.name);
    reply(message, { protocolVersion: versionFor(message.params.protocolVersion), ...aboutOf(surface) });
  }

  function isCancelled(message: JSONRPCMessage): boolean {
    const id = cancelledBy(message);
    return id !== undefined && calls.cancel(id);
  }
}

const cancelledBy = (message: JSONRPCMessage): string | number | undefined =>
  "method" in message && message.method === "notifications/cancelled"
    ? (message.params?.["requestId"] as string | number)
    : undefined;

/** Who runs the server, and hears what its client does not. */
export interface OperatorWarnings {
  readonly warn: (message: string) => void;
  /** Nothing can be served to this client. */
  readonly abort: (asked: JSONRPCMessage, reason: Fault) => void;
}

/** A client that may be asked for its directories is left to the SDK, which can ask. */
function protocolEraOf(message: JSONRPCMessage, { surfaceFor }: ServedApp): "2025" | "other" {
  const isOf2025 = "method" in message && message.method === "initialize";
  return isOf2025 && !(surfaceFor && offersRoots(message)) ? "2025" : "other";
}

function offersRoots(message: JSONRPCMessage): boolean {
  const params = "params" in message ? message.params : undefined;
  const capabilities = params?.["capabilities"] as { readonly roots?: unknown } | null | undefined;
  return capabilities?.roots !== undefined;
}

/** The revisions that begin with a handshake, newest first. */
const VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

const versionFor = (asked: string): string | undefined => (VERSIONS.includes(asked) ? asked : VERSIONS[0]);

interface Handshake extends JSONRPCRequest {
  readonly params: {
    readonly protocolVersion: string;
    readonly capabilities: object;
    readonly clientInfo: { readonly name: string };
  };
}

/** Only the plain form: the SDK judges the others. */
function isHandshake(message: JSONRPCMessage): message is Handshake {
  if (!("method" in message) || message.method !== "initialize" || !("id" in message)) return false;
  const { protocolVersion, capabilities, clientInfo, ...more } = message.params ?? {};
  const { name, version } = (clientInfo ?? {}) as Readonly<Record<string, unknown>>;
  const isNamed = [protocolVersion, name, version].every((text) => typeof text === "string");
  return isNamed && typeof capabilities === "object" && capabilities !== null && Object.keys(more).length === 0;
}

const isToolList = (message: JSONRPCMessage): message is JSONRPCRequest =>
  "method" in message &&
  message.method === "tools/list" &&
  "id" in message &&
  Object.keys(message.params ?? {}).every((key) => key === "_meta");

const isInitialized = (message: JSONRPCMessage): boolean =>
  "method" in message && message.method === "notifications/initialized";

interface ToolCall extends JSONRPCRequest {
  readonly method: "tools/call";
  readonly params: {
    readonly name: string;
    readonly arguments?: unknown;
    readonly _meta?: { readonly progressToken?: string | number };
  };
}

/** Only the plain form: whatever else a call may carry is the SDK's to judge. */
function isToolCall(message: JSONRPCMessage): message is ToolCall {
  if (!("method" in message) || message.method !== "tools/call" || !("id" in message)) return false;
  const params: unknown = message.params;
  if (!isRecord(params)) return false;
  return typeof params["name"] === "string" && Object.keys(params).every((key) => PLAIN_KEYS.has(key));
}

const PLAIN_KEYS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
