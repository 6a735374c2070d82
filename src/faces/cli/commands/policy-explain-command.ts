import type { Session } from "../../../runtime/sessions/session.ts";
import { decideAll } from "../../../runtime/pipeline/decide-tree.ts";
import { unrestrictedView } from "../../../runtime/pipeline/unrestricted-view.ts";
import { builtinTool } from "../../../app/catalogue.ts";
import type { RunIntent } from "../../../tools/tool.ts";
import { visible } from "../../../text/quote.ts";
import type { CliSettings } from "../flags.ts";
import { colored, print } from "../terminal.ts";

/** Prints whether a command would run without a question, and what stands in the way. Nothing is run. */
export async function policyExplainCommand(session: Session, text: string, { json }: CliSettings): Promise<number> {
  const { verdict, reasons } = await decisionAbout(session, text);
  print(json ? JSON.stringify({ act: "exec", command: text, verdict, reasons }) : textOf(text, verdict, reasons));
  return 0;
}

/** Decides about the command by the code that decides about a call. */
async function decisionAbout(session: Session, text: string): Promise<{ verdict: string; reasons: readonly string[] }> {
  const tool = builtinTool("exec");
  const signal = { aborted: false };
  const view = unrestrictedView(session.workspace, signal);
  if (!tool || !session.commands) return { verdict: "blocked", reasons: ["commands are not possible here"] };
  const intent = (await tool.plan({ command: text } as never, view, session.facts)) as RunIntent;
  const { requests } = await session.commands.planRun(intent, view);
  const { decision } = await decideAll(session.rules(), requests, session.workspace, signal);
  return decision;
}

const textOf = (text: string, verdict: string, reasons: readonly string[]): string =>
  `exec ${visible(text)}: ${colored("strong", verdict)} (${visible(reasons.join("; "))})`;
