import { LIMITS } from "../../base/limits.ts";
import { type ApprovalRequest, approvalState, type ApprovalChannel, shownApproval } from "./approval.ts";
import { createApprovalLinks } from "./approval-links.ts";
import type { ApprovalListener } from "./listener.ts";
import type { ApprovalStore } from "./store.ts";
import { postJson } from "../alerts/post-json.ts";

/** `approvals.webhook` of the configuration. */
export interface ApprovalWebhook {
  /** The address that questions are posted to. */
  readonly url: string;
  /** The local port that receives answers; any free port when absent. */
  readonly port?: number | undefined;
  /** The base of links, where a proxy forwards from there to the port. */
  readonly link?: string | undefined;
}

export interface WebhookChannel extends ApprovalChannel {
  /** Stops listening. Open questions can still be answered by other channels. */
  close(): void;
}

/** Posts every question once, with a link that answers it. The port is open only while a question is. */
export function createWebhookChannel(webhook: ApprovalWebhook, store: ApprovalStore): WebhookChannel {
  const links = createApprovalLinks();
  const open = new Map<string, OpenQuestion>();
  let listening: Promise<ApprovalListener> | undefined;
  const close = (): void => {
    listening?.then((listener) => listener.close()).catch(() => {});
    listening = undefined;
  };
  const closeQuestion = (id: string): void => {
    open.get(id)?.close();
    open.delete(id);
    if (open.size === 0) close();
  };
  const listen = async (): Promise<ApprovalListener> =>
    (await import("./listener.ts")).listenForAnswers(webhook.port ?? 0, { links, store, onAnswered: closeQuestion });
  const post = async (request: ApprovalRequest): Promise<void> => {
    const { port } = await (listening ??= listen());
    const base = webhook.link?.replace(/\/$/, "") ?? `http://127.0.0.1:${port}`;
    await postJson(webhook.url, { ...shownApproval(request), link: base + links.pathTo(request) });
  };
  return {
    name: "webhook",
    close,
    async ask(request, withdrawn) {
      const { id } = request;
      withdrawn.addEventListener("abort", () => closeQuestion(id), { once: true });
      const posted = open.get(id);
      const asked = posted ?? openQuestion(() => isOpen(store, id) || closeQuestion(id));
      open.set(id, asked);
      try {
        if (!posted) await post(request);
      } catch (error) {
        closeQuestion(id);
        throw error;
      }
      await asked.closed;
      // The answer is in the store already, and the page told the person whether it counts.
      return undefined;
    },
  };
}

interface OpenQuestion {
  readonly closed: Promise<void>;
  close(): void;
}

/** Polls, since the question may be answered elsewhere or expire while no call waits for it. */
function openQuestion(check: () => void): OpenQuestion {
  const timer = setInterval(check, LIMITS.linkPollMs).unref();
  let end: (() => void) | undefined;
  const closed = new Promise<void>((resolve) => (end = resolve));
  return {
    closed,
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
