import { hasCode } from "../base/errors.ts";
import { decideAll } from "../runtime/pipeline/decide-tree.ts";
import { unrestrictedView } from "../runtime/pipeline/unrestricted-view.ts";
import type { Decision } from "../runtime/rules/decision.ts";
import type { Session } from "../runtime/sessions/session.ts";
import type { RunIntent } from "../tools/tool.ts";
import { builtinTool } from "./catalogue.ts";

/** Decides about a command by the code that decides about a call. Nothing is run. */
export async function decisionAboutCommand(
  session: Session,
  text: string,
): Promise<Pick<Decision, "verdict" | "reasons">> {
  const tool = builtinTool("exec");
  const signal = { aborted: false };
  const view = unrestrictedView(session.workspace, signal);
  if (!tool || !session.commands) return { verdict: "blocked", reasons: ["commands are not possible here"] };
  try {
    const intent = (await tool.plan({ command: text } as never, view, session.facts)) as RunIntent;
    const { requests } = await session.commands.planRun(intent, view);
    const { decision } = await decideAll(session.rules(), requests, session.workspace, signal);
    return decision;
  } catch (error) {
    // A call is refused before anybody decides about it, such as one that would wait for a server.
    if (hasCode(error, "invalid_input")) return { verdict: "blocked", reasons: [error.message] };
    throw error;
  }
}
