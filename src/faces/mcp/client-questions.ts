import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { ApprovalChannel } from "../../runtime/approvals/approval.ts";
import { parseAnswer, approvalFormOf, supportsForms } from "./question-form.ts";
import { createLinkChannel, supportsLinks } from "./question-link.ts";

/** Asks the user of a client of the 2025 revisions, and recognizes which messages are the answers. */
export interface ClientQuestions {
  /** The name that the client gives itself. */
  readonly name: string;
  /** Is undefined for a client that cannot ask its user. */
  readonly channel: ApprovalChannel | undefined;
  isAnswer(message: JSONRPCMessage): boolean;
}

/** Sends each question only once: calls that repeat it while it is open wait for the same answer. */
export function createClientQuestions(
  wire: Pick<Transport, "send">,
  name: string,
  capabilities: unknown,
): ClientQuestions {
  const open = new Map<unknown, OpenRequest>();
  const put = (id: string, params: object): OpenRequest => {
    const request = openRequest();
    open.set(id, request);
    void wire.send({ jsonrpc: "2.0", id, method: "elicitation/create", params: { ...params } });
    return request;
  };
  const withdraw = (requestId: string): void => {
    open.get(requestId)?.resolve(undefined);
    if (open.delete(requestId))
      void wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  };
  const elicit = (id: string, params: object, withdrawn: AbortSignal): Promise<unknown> => {
    withdrawn.addEventListener("abort", () => withdraw(id), { once: true });
    return (open.get(id) ?? put(id, params)).result;
  };
  const form: ApprovalChannel = {
    name: "client",
    who: name,
    ask: async (request, withdrawn) =>
      parseAnswer(await elicit(`approval-${request.id}`, approvalFormOf(request), withdrawn)),
  };
  const link = createLinkChannel(
    (shown, withdrawn) => elicit(`link-${shown.elicitationId}`, shown, withdrawn),
    (elicitationId) =>
      wire.send({ jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId } }),
    new Set(),
  );
  const otherwise = supportsForms(capabilities) ? form : undefined;
  return {
    name,
    channel: supportsLinks(capabilities) ? { ...link, otherwise } : otherwise,
    isAnswer(message) {
      if ("method" in message) return false;
      open.get(message.id)?.resolve("result" in message ? message.result : undefined);
      return open.delete(message.id);
    },
  };
}

interface OpenRequest {
  readonly result: Promise<unknown>;
  resolve(result: unknown): void;
}

function openRequest(): OpenRequest {
  let resolveResult: OpenRequest["resolve"] | undefined;
  const result = new Promise<unknown>((resolve) => (resolveResult = resolve));
  return { result, resolve: (given) => resolveResult?.(given) };
}
