import * as z from "zod";
import type { App } from "../../app/app.ts";
import type { Conversation } from "../../app/conversations.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { OfferedTool, Reply } from "../../runtime/pipeline/surface.ts";
import { quotedInput } from "../../text/did-you-mean.ts";
import { RPC } from "../json-rpc.ts";
import { type RpcResponse, RPC_CODES, errorResponse, type HandleRequest } from "./frame.ts";

/** Maps errors about the agent's permissions or input to error codes. Errors about files are results. */
const CODE_OF: Readonly<Record<string, number>> = {
  RateLimited: RPC_CODES.rateLimited,
  PolicyDenied: RPC_CODES.denied,
  ApprovalRejected: RPC_CODES.denied,
  InvalidInput: RPC.params,
};

const name = z.string().max(LIMITS.quotedNameChars);
const session = { session_id: name.optional() };

/**
 * Defines every method by its parameters and what it does in the session that the request names, or the default one.
 */
const METHODS: Readonly<Record<string, Method>> = {
  "capabilities.list": method(z.strictObject(session), async (_, { surface }) => ({
    result: { capabilities: surface.tools.flatMap((tool) => tool.definition?.() ?? []).map(summaryOf) },
  })),
  "capabilities.describe": method(
    z.strictObject({ ...session, capability: name }),
    async ({ capability }, { surface }) => {
      const tool = toolNamed(capability, surface.tools);
      return tool ? { result: tool.definition?.() } : unknownCapability(capability);
    },
  ),
  "capabilities.invoke": method(
    z.strictObject({ ...session, capability: name, inputs: z.record(z.string(), z.unknown()).default({}) }),
    async ({ capability, inputs }, { surface }, { signal }) => {
      const tool = toolNamed(capability, surface.tools);
      if (!tool) return unknownCapability(capability);
      return answerOf(await surface.call({ tool: tool.name, input: inputs, signal }));
    },
  ),
  "session.create": method(z.strictObject({}), async (_, __, { begin, signal }) => {
    const conversation = begin();
    if (!conversation)
      return errorResponse(RPC_CODES.rateLimited, `There are ${LIMITS.rpcSessions} sessions already: end one first`);
    return answerOf(await conversation.surface.call({ tool: "agent__session", input: {}, signal }));
  }),
  "session.end": method(z.strictObject({ session_id: name }), async ({ session_id }, _, { end }) => {
    end(session_id);
    return { result: { session_id, ended: true } };
  }),
};

/** Lets a method begin and end conversations. */
interface ConversationControl {
  readonly signal: Cancellation;
  begin(): Conversation | undefined;
  end(id: string): void;
}

interface Method {
  readonly params: z.ZodType<{ readonly session_id?: string | undefined }>;
  answer(
    params: never,
    conversation: Pick<Conversation, "surface">,
    control: ConversationControl,
  ): Promise<RpcResponse>;
}

function method<Params extends { readonly session_id?: string | undefined }>(
  params: z.ZodType<Params>,
  answer: (
    params: Params,
    conversation: Pick<Conversation, "surface">,
    control: ConversationControl,
  ) => Promise<RpcResponse>,
): Method {
  return { params, answer };
}

/** Answers requests, each in the session that it names. Requests that name none share the default session. */
export function createMethods(app: App, signal: Cancellation): HandleRequest {
  const conversations = new Map<string, Conversation>();
  const control: ConversationControl = {
    signal,
    begin() {
      if (conversations.size >= LIMITS.rpcSessions) return undefined;
      const begun = app.another();
      conversations.set(begun.id, begun);
      return begun;
    },
    end(id) {
      void conversations.get(id)?.end();
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
    return found.answer(params.data as never, conversation, control);
  };
}

const NAMES = `there are ${Object.keys(METHODS).join(", ")}`;

/** Returns enough of a definition to choose by. `capabilities.describe` returns all of it. */
function summaryOf(definition: Readonly<Record<string, unknown>>) {
  const { name: called, version, purpose, when_to_use, permission_tier, inputs, outputs, tags } = definition;
  return { name: called, version, purpose, when_to_use, permission_tier, inputs, outputs, tags };
}

const toolNamed = (capability: string, tools: readonly OfferedTool[]): OfferedTool | undefined =>
  tools.find((tool) => tool.definition?.().name === capability);

const unknownCapability = (capability: string): RpcResponse =>
  errorResponse(RPC.params, `There is no capability ${JSON.stringify(capability)}: see capabilities.list`);

function answerOf({ data = {} }: Reply): RpcResponse {
  if (data["status"] === "pending_approval")
    return errorResponse(RPC_CODES.pending, "The call needs an approval first", data);
  const code = CODE_OF[String(data["error"])];
  return code === undefined ? { result: data } : errorResponse(code, String(data["message"]), data);
}
