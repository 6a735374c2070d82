import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Fault } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { PRODUCT } from "../../base/product.ts";
import { jsonBytesOf } from "../../text/encoding/utf8.ts";
import { aboutOf } from "./about.ts";
import { supportsViews } from "./apps.ts";
import { createCallQueue } from "./call-queue.ts";
import { type ClientQuestions, createClientQuestions } from "./client-questions.ts";
import { createTuner } from "./engine.ts";
import { createLazySdk } from "./lazy-sdk.ts";
import { createNotifier } from "./notifier.ts";
import { listedPrompts } from "./prompt-list.ts";
import type { ServedApp } from "./served-app.ts";
import { toCallToolJson, toListedTool } from "./render.ts";
import { requestOf } from "./request.ts";
import type { Wire } from "./wire.ts";

/**
 * Serves a fast path: for a client that opens with the 2025 handshake, it answers the handshake, the list of tools and
 * calls. The SDK answers everything else and is loaded only when it is needed. The answers are the same, at less cost
 * (docs/decisions/004).
 */
export function serveFastPath(wire: Wire, servedApp: ServedApp, { warn, abort }: OperatorWarnings): void {
  const { surface } = servedApp;
  let era: "unknown" | "2025" | "other" = "unknown";
  let questions: ClientQuestions | undefined;
  let showsViews = false;
  const { notify, log, observe } = createNotifier(wire, surface.files !== undefined);
  const tune = createTuner();
  const sdk = createLazySdk(wire, servedApp, warn);
  const calls = createCallQueue<ToolCall>(async ({ id, params }, signal) => {
    tune();
    const request = { signal, _meta: params._meta, notify, log };
    const outcome = await surface.call(requestOf(params.name, params.arguments, request, questions));
    const drained = signal.aborted ? undefined : wire.answer(id, toCallToolJson(outcome));
    if (drained) await drained;
  });
  const reply = ({ id }: JSONRPCRequest, result: object): unknown => wire.answer(id, jsonBytesOf(result));
  const list = (message: JSONRPCRequest): void => {
    const sendList = (): unknown =>
      reply(message, { tools: surface.tools.map((tool) => toListedTool(tool, showsViews)) });
    void (surface.ready ? surface.ready().then(sendList) : sendList());
  };
  surface.onToolsChanged?.(() => {
    if (era === "2025") void wire.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    else sdk.notifyToolsChanged();
  });
  // Since the 2026 revision, a client gets log messages only with the answer to a call that asks for them.
  surface.onJobEnd?.((end) => void (era === "2025" && log("info", end, PRODUCT.name)));
  wire.onmessage = (message) => {
    if (era === "unknown") return greet(message);
    if (era === "2025" && isToolCall(message)) calls.add(message);
    else if (era === "2025" && isPlainRequest(message, "tools/list")) list(message);
    else if (era === "2025" && surface.files && isPlainRequest(message, "prompts/list"))
      reply(message, { prompts: listedPrompts(surface) });
    else if (isInitialized(message)) sdk.recordAnswered(message);
    else if (!questions?.isAnswer(message) && !isCancelled(message)) sdk.forward(observe(message));
  };
  wire.onclose = () => {
    calls.close();
    sdk.close();
  };

  /** Decides the protocol era by the first message. */
  function greet(message: JSONRPCMessage): void {
    era = protocolEraOf(message, servedApp);
    if (servedApp.noRootsFault && era === "2025") return abort(message, servedApp.noRootsFault);
    if (era === "other" || !isHandshake(message)) return sdk.forward(message);
    sdk.recordAnswered(message);
    const { capabilities, clientInfo } = message.params;
    questions = createClientQuestions(wire, clientInfo.name, capabilities);
    showsViews = surface.files !== undefined && supportsViews(capabilities);
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

/** Reports to the operator of the server. */
export interface OperatorWarnings {
  readonly warn: (message: string) => void;
  /** Ends the server with an error, because it can serve nothing to this client. */
  readonly abort: (request: JSONRPCMessage, reason: Fault) => void;
}

/** Leaves a client that offers roots to the SDK, which can ask for them. */
function protocolEraOf(message: JSONRPCMessage, { surfaceFor }: ServedApp): "2025" | "other" {
  const isOf2025 = "method" in message && message.method === "initialize";
  return isOf2025 && !(surfaceFor && offersRoots(message)) ? "2025" : "other";
}

function offersRoots(message: JSONRPCMessage): boolean {
  const params = "params" in message ? message.params : undefined;
  const capabilities = params?.["capabilities"] as { readonly roots?: unknown } | null | undefined;
  return capabilities?.roots !== undefined;
}

/** Lists the protocol revisions that begin with a handshake, newest first. */
const VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

const versionFor = (requested: string): string | undefined => (VERSIONS.includes(requested) ? requested : VERSIONS[0]);

interface Handshake extends JSONRPCRequest {
  readonly params: {
    readonly protocolVersion: string;
    readonly capabilities: object;
    readonly clientInfo: { readonly name: string };
  };
}

/** Accepts only the plain form. The SDK validates all others. */
function isHandshake(message: JSONRPCMessage): message is Handshake {
  if (!("method" in message) || message.method !== "initialize" || !("id" in message)) return false;
  const { protocolVersion, capabilities, clientInfo, ...more } = message.params ?? {};
  const { name, version } = (clientInfo ?? {}) as Readonly<Record<string, unknown>>;
  const isNamed = [protocolVersion, name, version].every((text) => typeof text === "string");
  return isNamed && typeof capabilities === "object" && capabilities !== null && Object.keys(more).length === 0;
}

/** Accepts a request without parameters. The SDK validates all others. */
const isPlainRequest = (message: JSONRPCMessage, method: string): message is JSONRPCRequest =>
  "method" in message &&
  message.method === method &&
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

/** Accepts only the plain form. The SDK validates calls with other members. */
function isToolCall(message: JSONRPCMessage): message is ToolCall {
  if (!("method" in message) || message.method !== "tools/call" || !("id" in message)) return false;
  const params: unknown = message.params;
  if (!isRecord(params)) return false;
  return typeof params["name"] === "string" && Object.keys(params).every((key) => PLAIN_KEYS.has(key));
}

const PLAIN_KEYS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
