import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { ApprovalAnswer, ApprovalChannel } from "../../runtime/approvals/approval.ts";
import { answerIn, formOf } from "./question-form.ts";

/** Asks the user of a client of 2025, and knows which messages are his answers. */
export interface ClientQuestions {
  readonly channel: ApprovalChannel;
  isAnswer(message: JSONRPCMessage): boolean;
}

/** A question that is open already is not put a second time: whoever repeats the call waits for the same answer. */
export function createClientQuestions(wire: Pick<Transport, "send">, who: string): ClientQuestions {
  const open = new Map<unknown, Open>();
  const put = (id: string, params: object): Open => {
    const question = openQuestion();
    open.set(id, question);
    void wire.send({ jsonrpc: "2.0", id, method: "elicitation/create", params: { ...params } });
    return question;
  };
  const withdraw = (requestId: string): void => {
    open.get(requestId)?.settle(undefined);
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
        return (open.get(id) ?? put(id, formOf(request))).answer;
      },
    },
    isAnswer(message) {
      if ("method" in message) return false;
      open.get(message.id)?.settle("result" in message ? answerIn(message.result) : undefined);
      return open.delete(message.id);
    },
  };
}

interface Open {
  readonly answer: Promise<ApprovalAnswer | undefined>;
  settle(answer: ApprovalAnswer | undefined): void;
}

function openQuestion(): Open {
  let settle: Open["settle"] | undefined;
  const answer = new Promise<ApprovalAnswer | undefined>((resolve) => (settle = resolve));
  return { answer, settle: (given) => settle?.(given) };
}
