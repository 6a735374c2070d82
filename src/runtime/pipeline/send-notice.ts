import { LIMITS } from "../../base/limits.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { CallContext } from "./call-context.ts";

/** Sends a notice of what the rules allow and want reported, also where the call failed afterwards. */
export function sendNotice({ session, tool, request, view, access }: CallContext): void {
  const pending = access.pendingNotice();
  if (!pending) return;
  // Names are redacted, too: a notice goes to logs, and by the protocol to the client.
  const nameOf = ({ act, place, tool: outwardTool, command }: (typeof pending.done)[number]): string =>
    outwardTool?.name ??
    session.redactor.redactText(act === "exec" ? commandName(command) : view.nameOf(place as SafePath));
  const done = pending.done.map((each) => ({ act: each.act, path: nameOf(each) }));
  const notice = { tool: tool.name, session: session.facts.id, done, reasons: pending.reasons };
  session.notice(notice);
  request.notice?.(notice);
}

/** Names a program of a command with the start of its words; a part of the command is known only when it runs. */
function commandName(command: readonly string[] | undefined): string {
  const text = command?.join(" ") ?? "what is known only when it runs";
  return text.length <= LIMITS.jobEndCommandChars ? text : `${text.slice(0, LIMITS.jobEndCommandChars)}…`;
}
