import type { ApprovalChannel, ApprovalRequest } from "../../runtime/approvals/approval.ts";
import { questionLines } from "../../runtime/effects/effect-text.ts";

/** Leads a person from a client to the console. What the client answers to it is never the answer to the question. */
export interface LinkRequest {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  readonly elicitationId: string;
}

/** Builds the elicitation. The client gets one line: the page shows the whole effect. */
export const approvalLinkOf = (request: ApprovalRequest): LinkRequest => ({
  mode: "url",
  message: `${questionLines(request)[0]}. Answer in the console`,
  url: request.link ?? "",
  elicitationId: `approval-${request.id}`,
});

/** Returns true if a client can lead its user to an address. */
export function supportsLinks(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: unknown };
  return typeof elicitation === "object" && elicitation !== null && "url" in elicitation;
}

/** Shows a link at the client. Resolves to what the client says: whether its user opens it. */
export type ShowLink = (link: LinkRequest, withdrawn: AbortSignal) => Promise<unknown>;

/**
 * Waits for the answer of the console once a link is open. A link that was opened is not shown again while its question
 * waits; whoever does not open it leaves the question to other ways.
 */
export function createLinkChannel(
  show: ShowLink,
  complete: (elicitationId: string) => unknown,
  opened: Set<string>,
): ApprovalChannel {
  return {
    name: "console",
    async ask(request, withdrawn) {
      const link = approvalLinkOf(request);
      if (!opened.has(request.id) && !isOpened(await show(link, withdrawn))) return undefined;
      opened.add(request.id);
      await aborted(withdrawn);
      opened.delete(request.id);
      complete(link.elicitationId);
      return undefined;
    },
  };
}

export const isOpened = (result: unknown): boolean =>
  (result as { readonly action?: unknown } | null | undefined)?.action === "accept";

/** Resolves once a question was answered somewhere, or has expired. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
