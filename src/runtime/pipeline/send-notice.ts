import type { SafePath } from "../../storage/storage.ts";
import type { CallContext } from "./call-context.ts";

/** Sends a notice of what the rules allow and want reported, also where the call failed afterwards. */
export function sendNotice({ session, tool, request, view, access }: CallContext): void {
  const found = access.pendingNotice();
  if (!found) return;
  const done = found.done.map((want) => ({
    act: want.act,
    // A notice goes to logs, and by the protocol to the client.
    path: want.tool?.name ?? session.redactor.redactText(view.nameOf(want.place as SafePath)),
  }));
  const notice = { tool: tool.name, session: session.facts.id, done, reasons: found.reasons };
  session.notice(notice);
  request.notice?.(notice);
}
