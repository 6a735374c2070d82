import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { ApprovalAnswer, ApprovalChannel } from "../../runtime/approvals/approval.ts";
import { parseAnswer, approvalFormOf } from "./question-form.ts";

/** Asks the user of a client of the 2025 revisions, and recognizes which messages are the answers. */
export interface ClientQuestions {
  readonly channel: ApprovalChannel;
  isAnswer(message: JSONRPCMessage): boolean;
}

/** Sends each question only once: calls that repeat it while it is open wait for the same answer. */
export function createClientQuestions(wire: Pick<Transport, "send">, who: string): ClientQuestions {
  const open = new Map<unknown, OpenQuestion>();
  const put = (id: string, params: object): OpenQuestion => {
    const question = openQuestion();
    open.set(id, question);
    void wire.send({ jsonrpc: "2.0", id, method: "elicitation/create", params: { ...params } });
    return question;
  };
  const withdraw = (requestId: string): void => {
    open.get(requestId)?.resolve(undefined);
    if (open.delete(requestId))
      void wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  };
  return {
    channel: {
      name: "client",
      who,
      ask(request, withdrawn) {
        const id = `approval-${request.id}`;
        withdrawn.addEventListener("abort", () => withdraw(id), { once: true });
        return (open.get(id) ?? put(id, approvalFormOf(request))).answer;
      },
    },
    isAnswer(message) {
      if ("method" in message) return false;
      open.get(message.id)?.resolve("result" in message ? parseAnswer(message.result) : undefined);
      return open.delete(message.id);
    },
  };
}

interface OpenQuestion {
  readonly answer: Promise<ApprovalAnswer | undefined>;
  resolve(answer: ApprovalAnswer | undefined): void;
}

function openQuestion(): OpenQuestion {
  let resolveAnswer: OpenQuestion["resolve"] | undefined;
  const answer = new Promise<ApprovalAnswer | undefined>((resolve) => (resolveAnswer = resolve));
  return { answer, resolve: (given) => resolveAnswer?.(given) };
}
