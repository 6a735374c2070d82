import * as z from "zod";
import type { App } from "../../app/app.ts";
import type { Conversation } from "../../app/conversations.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { OfferedTool, Reply } from "../../runtime/pipeline/surface.ts";
import { quotedInput } from "../../text/did-you-mean.ts";
import { RPC } from "../json-rpc.ts";
import { type RpcResponse, RPC_CODES, errorResponse, type HandleRequest } from "./frame.ts";

/** Errors that say something of the agent, not of the files; all others are results. */
const CODE_OF: Readonly<Record<string, number>> = {
  RateLimited: RPC_CODES.rateLimited,
  PolicyDenied: RPC_CODES.denied,
  ApprovalRejected: RPC_CODES.denied,
  InvalidInput: RPC.params,
};

const name = z.string().max(LIMITS.quotedNameChars);
const session = { session_id: name.optional() };

/** Every method: what it takes, and what it does in the conversation that the call names, or else in the first one. */
const METHODS: Readonly<Record<string, Method>> = {
  "capabilities.list": method(z.strictObject(session), async (_, { surface }) => ({
    result: { capabilities: surface.tools.flatMap((tool) => tool.definition?.() ?? []).map(summaryOf) },
  })),
  "capabilities.describe": method(z.strictObject({ ...session, capability: name }), async (wanted, { surface }) => {
    const tool = toolNamed(wanted.capability, surface.tools);
    return tool ? { result: tool.definition?.() } : unknownCapability(wanted.capability);
  }),
  "capabilities.invoke": method(
    z.strictObject({ ...session, capability: name, inputs: z.record(z.string(), z.unknown()).default({}) }),
    async ({ capability, inputs }, { surface }, { signal }) => {
      const tool = toolNamed(capability, surface.tools);
      if (!tool) return unknownCapability(capability);
      return answerOf(await surface.call({ tool: tool.name, input: inputs, signal }));
    },
  ),
  "session.create": method(z.strictObject({}), async (_, __, { begin, signal }) => {
    const begun = begin();
    if (!begun)
      return errorResponse(RPC_CODES.rateLimited, `There are ${LIMITS.rpcSessions} sessions already: end one first`);
    return answerOf(await begun.surface.call({ tool: "agent__session", input: {}, signal }));
  }),
  "session.end": method(z.strictObject({ session_id: name }), async ({ session_id }, _, { end }) => {
    end(session_id);
    return { result: { session_id, ended: true } };
  }),
};

/** What a method may do besides: begin and end conversations. */
interface ConversationControl {
  readonly signal: Cancellation;
  begin(): Conversation | undefined;
  end(id: string): void;
}

interface Method {
  readonly params: z.ZodType<{ readonly session_id?: string | undefined }>;
  answer(params: never, conversation: Pick<Conversation, "surface">, desk: ConversationControl): Promise<RpcResponse>;
}

function method<Params extends { readonly session_id?: string | undefined }>(
  params: z.ZodType<Params>,
  answer: (
    params: Params,
    conversation: Pick<Conversation, "surface">,
    desk: ConversationControl,
  ) => Promise<RpcResponse>,
): Method {
  return { params, answer };
}

/** Answers requests, each in the session that it names. Who names none shares the first one. */
export function createMethods(app: App, signal: Cancellation): HandleRequest {
  const conversations = new Map<string, Conversation>();
  const desk: ConversationControl = {
    signal,
    begin() {
      if (conversations.size >= LIMITS.rpcSessions) return undefined;
      const begun = app.another();
      conversations.set(begun.id, begun);
      return begun;
    },
    end(id) {
      conversations.get(id)?.end();
      conversations.delete(id);
    },
  };
  return async (called, given = {}) => {
    const found = Object.hasOwn(METHODS, called) ? METHODS[called] : undefined;
    if (!found) return errorResponse(RPC.method, `There is no method ${quotedInput(called)}: ${NAMES}`);
    const params = found.params.safeParse(given);
    if (!params.success) return errorResponse(RPC.params, z.prettifyError(params.error));
    const { session_id: id } = params.data;
    const conversation = id === undefined ? app : conversations.get(id);
    if (!conversation)
      return errorResponse(RPC_CODES.noSession, "There is no such session: begin one with session.create");
    return found.answer(params.data as never, conversation, desk);
  };
}

const NAMES = `there are ${Object.keys(METHODS).join(", ")}`;

/** Enough to choose by; the rest is told by capabilities.describe. */
function summaryOf(definition: Readonly<Record<string, unknown>>) {
  const { name: called, version, purpose, when_to_use, permission_tier, inputs, outputs, tags } = definition;
  return { name: called, version, purpose, when_to_use, permission_tier, inputs, outputs, tags };
}

const toolNamed = (wanted: string, tools: readonly OfferedTool[]): OfferedTool | undefined =>
  tools.find((tool) => tool.definition?.().name === wanted);

const unknownCapability = (wanted: string): RpcResponse =>
  errorResponse(RPC.params, `There is no capability ${JSON.stringify(wanted)}: see capabilities.list`);

function answerOf({ data = {} }: Reply): RpcResponse {
  if (data["status"] === "pending_approval")
    return errorResponse(RPC_CODES.pending, "Somebody has to say yes first", data);
  const code = CODE_OF[String(data["error"])];
  return code === undefined ? { result: data } : errorResponse(code, String(data["message"]), data);
}
