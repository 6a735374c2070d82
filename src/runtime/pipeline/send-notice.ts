import type { SafePath } from "../../storage/storage.ts";
import type { CallContext } from "./call-context.ts";

/** Sends a notice of what the rules allow and want reported, also where the call failed afterwards. */
export function sendNotice({ session, tool, request, view, access }: CallContext): void {
  const pending = access.pendingNotice();
  if (!pending) return;
  const done = pending.done.map(({ act, place, tool: outwardTool }) => ({
    act,
    // Names are redacted, too: a notice goes to logs, and by the protocol to the client.
    path: outwardTool?.name ?? session.redactor.redactText(view.nameOf(place as SafePath)),
  }));
  const notice = { tool: tool.name, session: session.facts.id, done, reasons: pending.reasons };
  session.notice(notice);
  request.notice?.(notice);
}
