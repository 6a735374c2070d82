import { skippedRoots } from "../../../app/directories.ts";
import type { CommandOptions, Options } from "../../../app/options.ts";
import { isFault } from "../../../base/errors.ts";
import { noticeLine } from "../../../runtime/pipeline/notices.ts";
import { createServedApp, type OptionsFor, type ServedApp, type RootsMode } from "../../mcp/served-app.ts";
import { serveMcp } from "../../mcp/stdio.ts";
import { mergeSettings } from "../../../app/merged-settings.ts";
import type { CliSettings } from "../flags.ts";
import { withPlugins } from "../with-plugins.ts";
import { chosenDialect } from "../chosen-dialect.ts";
import { logSoon, reportPendingApproval, warn, warnVerbatim } from "../terminal.ts";

/** Runs `holdfast mcp <dir>...`: serves MCP on stdin and stdout. */
export async function mcp(settings: CliSettings): Promise<number> {
  const { connect: url } = settings.server;
  if (url) return (await import("../server/connect.ts")).connect(settings, url);
  const options = await optionsOf(settings);
  // A client may not replace roots that the machine's configuration fixes.
  const mode = options.loaded?.isFixed(["roots"]) ? "intersect" : settings.rootsMode;
  const servedApp = openApp(options, mode, (roots) => optionsOf({ ...settings, rootsWith: () => roots }));
  if (servedApp === undefined) return 1;
  const { running } = options.dialect?.operatorMessages ?? {};
  if (running !== undefined) warnVerbatim(running);
  if (process.stdin.isTTY)
    warn("Serving MCP on standard input and output, for a client to start; press Ctrl-C to stop");
  const code = await serveMcp(servedApp, warn);
  await servedApp.close();
  // Exits explicitly, because a pending read would keep the process alive and nobody waits for it.
  return process.exit(code);
}

async function optionsOf(settings: CliSettings) {
  const chosen = await withPlugins(await mergeSettings(settings, settings.words));
  const dialect = await chosenDialect(chosen);
  return { ...chosen, ...STARTUP_LINES, ...inWordsOf(dialect?.operatorMessages), dialect };
}

/** Prints the startup lines of the server that the dialect replaces, for programs that parse its standard error. */
const inWordsOf = (
  words: NonNullable<Options["dialect"]>["operatorMessages"],
): Pick<CommandOptions, "onSkippedRoot" | "onRootsReplaced"> =>
  words
    ? {
        onSkippedRoot: ({ given, kind }) => warnVerbatim(words.skipped(given, kind === "not_a_directory")),
        onRootsReplaced: (count) => warnVerbatim(words.replaced(count)),
      }
    : {};

/** Prints warnings, alerts, notices and pending approvals for the operator. */
export const STARTUP_LINES: Pick<Options, "warn" | "onAlert" | "onNotice" | "onApprovalRequest"> = {
  warn,
  onAlert: warn,
  onNotice: (notice) => logSoon(noticeLine(notice)),
  onApprovalRequest: reportPendingApproval,
};

/**
 * Returns undefined if no directory can be used and the dialect's original server would end with exit code 1, not 2.
 */
function openApp(options: CommandOptions, mode: RootsMode | undefined, optionsFor: OptionsFor): ServedApp | undefined {
  try {
    return createServedApp(options, mode, optionsFor);
  } catch (error) {
    if (!isFault(error) || !options.dialect?.acceptsClientRoots) throw error;
    const { noneUsable } = options.dialect.operatorMessages ?? {};
    for (const root of skippedRoots(options)) options.onSkippedRoot?.(root);
    if (noneUsable !== undefined) warnVerbatim(noneUsable);
    warn(error.message);
    return undefined;
  }
}
