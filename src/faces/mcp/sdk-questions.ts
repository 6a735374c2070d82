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
import { aborted, approvalLinkOf, createLinkChannel, isOpened, supportsLinks } from "./question-link.ts";

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
  // Over HTTP, the question takes the stream of the call.
  const optionsFor = (signal: AbortSignal) => ({ timeout: LIMITS.approvalMs, signal, relatedRequestId });
  const form: ApprovalChannel = {
    name: "client",
    who: clientNameOf(server, context),
    ask: async (request, signal) => parseAnswer(await server.elicitInput(approvalFormOf(request), optionsFor(signal))),
  };
  const link = createLinkChannel(
    (shown, signal) => server.elicitInput({ ...shown }, optionsFor(signal)),
    // Sending fails once the client has disconnected, which is fine.
    (id) =>
      server
        .createElicitationCompletionNotifier(id, { relatedRequestId })()
        .catch(() => {}),
    openedLinksOf(server),
  );
  return { channel: channelFor(server.getClientCapabilities(), form, link), question: () => undefined };
}

/** Prefers the link, which shows the whole effect. The form is left for where no console runs. */
function channelFor(capabilities: unknown, form: ApprovalChannel, link: ApprovalChannel): ApprovalChannel | undefined {
  const otherwise = supportsForms(capabilities) ? form : undefined;
  return supportsLinks(capabilities) ? { ...link, otherwise } : otherwise;
}

const OPENED_LINKS = new WeakMap<Server, Set<string>>();

function openedLinksOf(server: Server): Set<string> {
  const opened = OPENED_LINKS.get(server) ?? new Set();
  OPENED_LINKS.set(server, opened);
  return opened;
}

function questionsByNextCall(context: ServerContext, codec: RequestStateCodec<QuestionState>): RequestQuestions {
  const { envelope, inputResponses, requestState } = context.mcpReq;
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = envelope as Envelope;
  const answered = requestState<QuestionState>()?.approval;
  const response = answered === undefined ? undefined : inputResponse(inputResponses, "approval");
  let open: InputRequest | undefined;
  let asked: ApprovalRequest | undefined;
  const ask = (request: ApprovalRequest, input: InputRequest): undefined => {
    [asked, open] = [request, input];
    return undefined;
  };
  const form: ApprovalChannel = {
    name: "client",
    who: clientNameIn(context),
    isAnsweredByNextCall: true,
    ask: async (request) =>
      (answered === request.id ? parseAnswer(response) : undefined) ??
      ask(request, inputRequired.elicit(approvalFormOf(request))),
  };
  const link: ApprovalChannel = {
    name: "console",
    // The call that comes back after the link was opened waits for the console.
    isAnsweredByNextCall: !isOpened(response),
    async ask(request, withdrawn) {
      if (answered === request.id) return void (isOpened(response) && (await aborted(withdrawn)));
      const { message, url } = approvalLinkOf(request);
      return ask(request, inputRequired.elicitUrl({ message, url }));
    },
  };
  return {
    channel: channelFor(capabilities, form, link),
    question: () => (asked && open ? inputRequiredFor(asked, open, context, codec) : undefined),
  };
}

type InputRequest = ReturnType<typeof inputRequired.elicit>;

/** Returns the name that a client gave itself: in its handshake, or since the 2026 revision with each request. */
export const clientNameOf = (server: Server, context: ServerContext): string | undefined =>
  context.mcpReq.envelope === undefined ? server.getClientVersion()?.name : clientNameIn(context);

const clientNameIn = ({ mcpReq: { envelope } }: ServerContext): string | undefined =>
  (envelope as Envelope)[CLIENT_INFO_META_KEY]?.name;

type Envelope = { readonly [CLIENT_INFO_META_KEY]?: { readonly name?: string } } & Readonly<Record<string, unknown>>;

/** Asks for the client's roots again as well, because they do not last until the next request. */
async function inputRequiredFor(
  { id }: ApprovalRequest,
  approval: InputRequest,
  context: ServerContext,
  codec: RequestStateCodec<QuestionState>,
): Promise<InputRequiredResult> {
  const hasRoots = inputResponse(context.mcpReq.inputResponses, "roots").kind === "roots";
  return inputRequired({
    inputRequests: { approval, ...(hasRoots && { roots: inputRequired.listRoots() }) },
    requestState: await codec.mint({ approval: id }, context),
  });
}
