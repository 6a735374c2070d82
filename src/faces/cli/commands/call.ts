import { openHoldfast } from "../../sdk/holdfast.ts";
import { askOnTerminal, canAsk } from "../approval-prompt.ts";
import { mergeSettings } from "../../../app/merged-settings.ts";
import type { CliSettings } from "../flags.ts";
import { withPlugins } from "../with-plugins.ts";
import { chosenDialect } from "../chosen-dialect.ts";
import { printForeign, reportPendingApproval, usage, warn } from "../terminal.ts";

/** Runs `holdfast call <tool> '<json>' --root <dir>`: makes one call and prints its text. Returns 1 when it failed. */
export async function call(settings: CliSettings): Promise<number> {
  const [tool, json = "{}", ...extra] = settings.words;
  if (tool === undefined) return reportUsage("give a tool and its arguments as one JSON object");
  if (extra.length > 0)
    return reportUsage(`unexpected argument ${JSON.stringify(extra[0])}; give directories with --root`);
  const input = parseJson(json);
  if (input === undefined) return reportUsage(`the arguments are not JSON: ${json}`);
  const options = await withPlugins(await mergeSettings(settings, [], "."));
  const dialect = await chosenDialect(options);
  const asking = canAsk()
    ? { approver: askOnTerminal, approverChannel: "terminal" as const }
    : { onApprovalRequest: reportPendingApproval };
  const holdfast = openHoldfast({ ...options, ...asking, dialect, principal: "user", warn, onAlert: warn });
  const { isError, text, data } = await holdfast.call(tool, input);
  holdfast.close();
  printForeign(settings.json ? JSON.stringify(data) : text);
  return isError ? 1 : 0;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const reportUsage = (problem: string): number =>
  usage("call", problem, `holdfast call read '{"path":"README.md"}' --root .`);
