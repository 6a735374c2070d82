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
import { parseAnswer, approvalFormOf, supportsForms } from "./question-form.ts";

/** Is sent to the client and comes back with the answer. It is signed, and useless once that question is answered. */
interface QuestionState {
  readonly approval: string;
}

/** Binds the signed state to the method of the request and to this process. */
export const createStateCodec = (): RequestStateCodec<QuestionState> =>
  createRequestStateCodec({
    key: randomBytes(32),
    ttlSeconds: LIMITS.approvalMs / 1000,
    bind: ({ mcpReq }) => mcpReq.method,
  });

/** Asks the user behind one request. `question` is the response to the request while an answer is missing. */
export interface RequestQuestions {
  readonly channel: ApprovalChannel | undefined;
  question(): Promise<InputRequiredResult> | undefined;
}

/**
 * Before the 2026 revision, the client is asked while its call waits. Since then the call ends with the question, and
 * the client repeats the call with the answer.
 */
export function questionsOf(
  server: Server,
  context: ServerContext,
  codec: RequestStateCodec<QuestionState>,
): RequestQuestions {
  const { envelope, id: relatedRequestId } = context.mcpReq;
  if (envelope !== undefined) return questionsByNextCall(context, codec);
  const channel: ApprovalChannel = {
    name: "client",
    who: server.getClientVersion()?.name,
    async ask(request, signal) {
      // Over HTTP, the question takes the stream of the call.
      const options = { timeout: LIMITS.approvalMs, signal, relatedRequestId };
      return parseAnswer(await server.elicitInput(approvalFormOf(request), options));
    },
  };
  return {
    channel: supportsForms(server.getClientCapabilities()) ? channel : undefined,
    question: () => undefined,
  };
}

function questionsByNextCall(context: ServerContext, codec: RequestStateCodec<QuestionState>): RequestQuestions {
  const { envelope, inputResponses, requestState } = context.mcpReq;
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities, [CLIENT_INFO_META_KEY]: client } = envelope as Envelope;
  if (!supportsForms(capabilities)) return { channel: undefined, question: () => undefined };
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

/** Asks for the client's roots again as well, because they do not last until the next request. */
async function inputRequiredFor(
  request: ApprovalRequest,
  context: ServerContext,
  codec: RequestStateCodec<QuestionState>,
): Promise<InputRequiredResult> {
  const hasRoots = inputResponse(context.mcpReq.inputResponses, "roots").kind === "roots";
  return inputRequired({
    inputRequests: {
      approval: inputRequired.elicit(approvalFormOf(request)),
      ...(hasRoots && { roots: inputRequired.listRoots() }),
    },
    requestState: await codec.mint({ approval: request.id }, context),
  });
}
