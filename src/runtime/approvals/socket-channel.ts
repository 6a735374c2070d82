import type { ApprovalAnswer, ApprovalChannel, ApprovalRequest } from "./approval.ts";
import type { ApprovalSocket } from "./ask-over-socket.ts";

/** Asks over a socket, once for each question at a time. The code for it is loaded at the first question. */
export function createSocketChannel(socket: ApprovalSocket): ApprovalChannel {
  const open = new Map<string, OpenQuestion>();
  const begin = (request: ApprovalRequest): OpenQuestion => {
    const withdrawal = new AbortController();
    const answered = askOver(socket, request, withdrawal.signal).finally(() => open.delete(request.id));
    return { answered, withdraw: () => withdrawal.abort() };
  };
  return {
    name: "socket",
    async ask(request, withdrawn) {
      // A call that is made again while its question is open waits for the same answer.
      const question = open.get(request.id) ?? begin(request);
      open.set(request.id, question);
      withdrawn.addEventListener("abort", question.withdraw, { once: true });
      return question.answered;
    },
  };
}

interface OpenQuestion {
  readonly answered: Promise<ApprovalAnswer | undefined>;
  readonly withdraw: () => void;
}

const askOver = async (socket: ApprovalSocket, request: ApprovalRequest, withdrawn: AbortSignal) =>
  (await import("./ask-over-socket.ts")).askOverSocket(socket, request, withdrawn);
