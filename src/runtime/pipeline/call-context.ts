import type { ParsedInput, Tool } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import type { Asker } from "../approvals/approvals.ts";
import type { CallRedactor } from "../secrets/call-redactor.ts";
import { type AccessContext, createAccessContext } from "./access-context.ts";
import type { Request } from "./request.ts";
import type { Session } from "../sessions/session.ts";

/** Everything that one call of a tool works with. */
export interface CallContext {
  readonly session: Session;
  readonly request: Request;
  readonly tool: Tool;
  readonly input: ParsedInput;
  readonly access: AccessContext;
  readonly asker: Asker;
  readonly redactor: CallRedactor;
  readonly view: View;
}

export function createCallContext(session: Session, request: Request, tool: Tool, input: ParsedInput): CallContext {
  const { signal, channel, client } = request;
  const access = createAccessContext(session.rules(), session.rates);
  const { facts, agent, workspace } = session;
  const roots = workspace.roots.map(({ real }) => real);
  const asker: Asker = { session: facts.id, agent, client, roots, signal, channel, usedApprovals: [], answers: [] };
  return withTool({ session, request, access, asker }, tool, input);
}

/** Returns the context of another tool in the same call: what was allowed and answered so far still holds. */
export function withTool(
  call: Pick<CallContext, "session" | "request" | "access" | "asker">,
  tool: Tool,
  input: ParsedInput,
): CallContext {
  const { session, request, access } = call;
  const { signal, progress = () => {} } = request;
  const redactor = session.redactor.forCall(tool, signal, session.reportedPlaceholders);
  // The view checks every place it opens against the rules, and hides secrets. Spreading both instead of naming their
  // members makes a call slower by a tenth.
  const view = session.workspace.view({
    signal,
    progress,
    seenFiles: session.seen,
    checkAccess: access.checkAccess,
    mayOpen: access.mayOpen,
    mayHideBelow: access.mayHideBelow,
    deniedBelow: access.deniedBelow,
    redactedFile: redactor.redactedFile,
    onVersionRead: redactor.onVersionRead,
    isSensitive: redactor.isSensitive,
    rewriteQuery: redactor.rewriteQuery,
    searchableText: redactor.searchableText,
    uncuttableRanges: redactor.uncuttableRanges,
    noteDocumentText: redactor.noteDocumentText,
  });
  return { ...call, tool, input, redactor, view };
}
