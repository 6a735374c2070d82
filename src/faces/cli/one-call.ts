import { mergeSettings } from "../../app/merged-settings.ts";
import type { Approver } from "../../runtime/approvals/approvals.ts";
import { openHoldfast } from "../sdk/holdfast.ts";
import { askOnTerminal, canAsk } from "./approval-prompt.ts";
import { chosenDialect } from "./chosen-dialect.ts";
import type { CliSettings } from "./flags.ts";
import { interruption } from "./interruption.ts";
import { createProgressBar } from "./progress-bar.ts";
import { reportPendingApproval, warn } from "./terminal.ts";
import { withPlugins } from "./with-plugins.ts";

/**
 * Makes one call as the person at the terminal, who is asked there if a rule says so. Waits for a command to its end,
 * and ends it on Ctrl-C.
 */
export async function callOnce(settings: CliSettings, tool: string, input: unknown) {
  const options = await withPlugins(await mergeSettings(settings, [], "."));
  const dialect = await chosenDialect(options);
  const bar = createProgressBar(tool);
  const approver: Approver = (...question) => {
    bar.clear();
    return askOnTerminal(...question);
  };
  const asking = canAsk()
    ? { approver, approverChannel: "terminal" as const }
    : { onApprovalRequest: reportPendingApproval };
  const person = { principal: "user" as const, warn, onAlert: warn };
  const holdfast = openHoldfast({ ...options, ...asking, ...person, dialect, isOneCall: true });
  const { signal, stop } = interruption();
  try {
    return await holdfast.call(tool, input, { signal, onProgress: ({ done, total }) => bar.report(done, total) });
  } finally {
    bar.clear();
    stop();
    holdfast.close();
  }
}
