import { mergeSettings } from "../../app/merged-settings.ts";
import { openHoldfast } from "../sdk/holdfast.ts";
import { askOnTerminal, canAsk } from "./approval-prompt.ts";
import { chosenDialect } from "./chosen-dialect.ts";
import type { CliSettings } from "./flags.ts";
import { interruption } from "./interruption.ts";
import { reportPendingApproval, warn } from "./terminal.ts";
import { withPlugins } from "./with-plugins.ts";

/**
 * Makes one call as the person at the terminal, who is asked there if a rule says so. Waits for a command to its end,
 * and ends it on Ctrl-C.
 */
export async function callOnce(settings: CliSettings, tool: string, input: unknown) {
  const options = await withPlugins(await mergeSettings(settings, [], "."));
  const dialect = await chosenDialect(options);
  const asking = canAsk()
    ? { approver: askOnTerminal, approverChannel: "terminal" as const }
    : { onApprovalRequest: reportPendingApproval };
  const person = { principal: "user" as const, warn, onAlert: warn };
  const holdfast = openHoldfast({ ...options, ...asking, ...person, dialect, isOneCall: true });
  const { signal, stop } = interruption();
  try {
    return await holdfast.call(tool, input, { signal });
  } finally {
    stop();
    holdfast.close();
  }
}
