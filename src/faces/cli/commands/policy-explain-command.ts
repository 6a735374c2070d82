import type { Session } from "../../../runtime/sessions/session.ts";
import { decisionAboutCommand } from "../../../app/decision-about-command.ts";
import { visible } from "../../../text/quote.ts";
import type { CliSettings } from "../flags.ts";
import { colored, print } from "../terminal.ts";

/** Prints whether a command would run without a question, and what stands in the way. Nothing is run. */
export async function policyExplainCommand(session: Session, text: string, { json }: CliSettings): Promise<number> {
  const { verdict, reasons } = await decisionAboutCommand(session, text);
  print(json ? JSON.stringify({ act: "exec", command: text, verdict, reasons }) : textOf(text, verdict, reasons));
  return 0;
}

const textOf = (text: string, verdict: string, reasons: readonly string[]): string =>
  `exec ${visible(text)}: ${colored("strong", verdict)} (${visible(reasons.join("; "))})`;
