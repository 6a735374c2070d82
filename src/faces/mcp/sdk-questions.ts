import { randomBytes } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import type { ApprovalRequest, ApprovalChannel } from "../../runtime/approvals/approval.ts";
import { parseAnswer, formOf, showsForms } from "./question-form.ts";

/** What goes to the client and comes back with the answer: signed, and of no use once that question is settled. */
interface QuestionState {
  readonly approval: string;
}

/** What a client is handed belongs to the method it asked for, and to this process. */
export const createStateCodec = (): RequestStateCodec<QuestionState> =>
  createRequestStateCodec({
    key: randomBytes(32),
    ttlSeconds: LIMITS.approvalMs / 1000,
    bind: ({ mcpReq }) => mcpReq.method,
  });

/** How the user behind one request can be asked; `question` is what the request is answered with when he has to be. */
export interface RequestQuestions {
  readonly channel: ApprovalChannel | undefined;
  question(): Promise<InputRequiredResult> | undefined;
}

/** Before 2026 a client is asked while its call waits; since then the call ends with the question, and comes again with the answer. */
export function questionsOf(
  server: Server,
  context: ServerContext,
  codec: RequestStateCodec<QuestionState>,
): RequestQuestions {
  const { envelope } = context.mcpReq;
  if (envelope !== undefined) return questionsByNextCall(context, codec);
  const channel: ApprovalChannel = {
    name: "client",
    who: server.getClientVersion()?.name,
    ask: async (request, signal) =>
      parseAnswer(await server.elicitInput(formOf(request), { timeout: LIMITS.approvalMs, signal })),
  };
  return {
    channel: showsForms(server.getClientCapabilities()) ? channel : undefined,
    question: () => undefined,
  };
}

function questionsByNextCall(context: ServerContext, codec: RequestStateCodec<QuestionState>): RequestQuestions {
  const { envelope, inputResponses, requestState } = context.mcpReq;
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities, [CLIENT_INFO_META_KEY]: client } = envelope as Envelope;
  if (!showsForms(capabilities)) return { channel: undefined, question: () => undefined };
  let open: ApprovalRequest | undefined;
  return {
    channel: {
      name: "client",
      who: client?.name,
      isAnsweredByNextCall: true,
      async ask(request) {
        const isAnswered = requestState<QuestionState>()?.approval === request.id;
        const answer = isAnswered ? parseAnswer(inputResponse(inputResponses, "approval")) : undefined;
        open = answer ? undefined : request;
        return answer;
      },
    },
    question: () => open && inputRequiredFor(open, context, codec),
  };
}

type Envelope = { readonly [CLIENT_INFO_META_KEY]?: { readonly name?: string } } & Readonly<Record<string, unknown>>;

/** Directories that the client offers do not last until the next request: they are asked for again. */
async function inputRequiredFor(
  request: ApprovalRequest,
  context: ServerContext,
  codec: RequestStateCodec<QuestionState>,
): Promise<InputRequiredResult> {
  const hasRoots = inputResponse(context.mcpReq.inputResponses, "roots").kind === "roots";
  return inputRequired({
    inputRequests: {
      approval: inputRequired.elicit(formOf(request)),
      ...(hasRoots && { roots: inputRequired.listRoots() }),
    },
    requestState: await codec.mint({ approval: request.id }, context),
  });
}
