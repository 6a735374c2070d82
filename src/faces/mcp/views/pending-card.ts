import { diffView } from "./diff.ts";
import { button, element } from "./elements.ts";
import type { Host, ToolResult } from "./host.ts";
import { faultIn, stringIn, textIn } from "./result-text.ts";

/**
 * Shows a call that waits for a person, with all that it would do. There is nothing to approve with here: a chat can
 * press any button of a view by itself, so that only the console or the command line answers.
 */
export function pendingCard(
  result: ToolResult,
  host: Host,
  show: (result: ToolResult) => void,
): HTMLElement | undefined {
  const fault = faultIn(result);
  const id = stringIn(fault, "approval_id");
  if (fault?.["code"] !== "pending" || id === undefined) return undefined;
  const [head = "", ...effect] = (stringIn(fault, "effect") ?? textIn(result)).split("\n");
  const link = stringIn(fault, "console");
  const command = stringIn(fault, "command");
  const { call } = host;
  const goOn = async (): Promise<void> => {
    if (!call) return;
    const answer = await call("session", { approval: id });
    if (!answer.isError) host.informModel(`The user allowed ${id}, and it is done:\n${textIn(answer)}`);
    show(answer);
  };
  return element(
    "section",
    "card wait",
    element("h1", "", "Waits for your answer"),
    element("p", "", head),
    diffView(effect.join("\n")),
    element(
      "div",
      "acts",
      ...(link === undefined ? [] : [button("Open in console", "main", () => host.openLink(link))]),
      ...(call ? [button("I answered, go on", "", goOn)] : []),
    ),
    ...(link === undefined && command !== undefined
      ? [element("p", "hint", "Allow it with "), element("code", "", command)]
      : []),
  );
}
