import { LIMITS } from "../../base/limits.ts";
import { type ApprovalRequest, approvalState, type ApprovalChannel, shownApproval } from "./approval.ts";
import { createApprovalLinks } from "./approval-links.ts";
import type { ApprovalListener } from "./listener.ts";
import type { ApprovalStore } from "./store.ts";
import { postJson } from "../alerts/post-json.ts";

/** `approvals.webhook` of the configuration. */
export interface ApprovalWebhook {
  /** Where questions are posted. */
  readonly url: string;
  /** Where answers are heard, on this machine; any free port when absent. */
  readonly port?: number | undefined;
  /** What links begin with, where something leads from there to the port. */
  readonly link?: string | undefined;
}

export interface WebhookChannel extends ApprovalChannel {
  /** Stops listening; what is open can be answered otherwise. */
  close(): void;
}

/** Posts every question once, with a link that answers it. A port is open only as long as a question is. */
export function createWebhookChannel(webhook: ApprovalWebhook, store: ApprovalStore): WebhookChannel {
  const links = createApprovalLinks();
  const open = new Map<string, OpenQuestion>();
  let listening: Promise<ApprovalListener> | undefined;
  const close = (): void => {
    listening?.then((listener) => listener.close()).catch(() => {});
    listening = undefined;
  };
  const settle = (id: string): void => {
    open.get(id)?.close();
    open.delete(id);
    if (open.size === 0) close();
  };
  const listen = async (): Promise<ApprovalListener> =>
    (await import("./listener.ts")).listenForAnswers(webhook.port ?? 0, { links, store, onAnswered: settle });
  const put = async (request: ApprovalRequest): Promise<void> => {
    const { port } = await (listening ??= listen());
    const base = webhook.link?.replace(/\/$/, "") ?? `http://127.0.0.1:${port}`;
    await postJson(webhook.url, { ...shownApproval(request), link: base + links.pathTo(request) });
  };
  return {
    name: "webhook",
    close,
    async ask(request, withdrawn) {
      const { id } = request;
      withdrawn.addEventListener("abort", () => settle(id), { once: true });
      const posted = open.get(id);
      const asked = posted ?? openQuestion(() => isOpen(store, id) || settle(id));
      open.set(id, asked);
      try {
        if (!posted) await put(request);
      } catch (error) {
        settle(id);
        throw error;
      }
      await asked.closed;
      // The answer is in the store already: whoever gave it was told there whether it counts.
      return undefined;
    },
  };
}

interface OpenQuestion {
  readonly closed: Promise<void>;
  close(): void;
}

/** Looks now and then: it may be answered by others, or expire, while no call waits for it. */
function openQuestion(look: () => void): OpenQuestion {
  const timer = setInterval(look, LIMITS.linkPollMs).unref();
  let end: (() => void) | undefined;
  const settled = new Promise<void>((resolve) => (end = resolve));
  return {
    closed: settled,
    close() {
      clearInterval(timer);
      end?.();
    },
  };
}

function isOpen(store: ApprovalStore, id: string): boolean {
  const request = store.read(id);
  return request !== undefined && approvalState(request, Date.now()) === "pending";
}
