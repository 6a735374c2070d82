import { skippedRoots } from "../../../app/directories.ts";
import type { CommandOptions, Options } from "../../../app/options.ts";
import { isFault } from "../../../base/errors.ts";
import { noticeLine } from "../../../runtime/pipeline/notices.ts";
import { createServedApp, type OptionsFor, type ServedApp, type RootsMode } from "../../mcp/served-app.ts";
import { serveMcp } from "../../mcp/stdio.ts";
import { configured } from "../../../app/configured.ts";
import type { CliSettings } from "../flags.ts";
import { withPlugins } from "../with-plugins.ts";
import { chosenDialect } from "../chosen-dialect.ts";
import { logSoon, reportPendingApproval, warn, warnVerbatim } from "../terminal.ts";

/** Serves MCP on stdin and stdout. Directories may stand without a flag. */
export async function mcp(settings: CliSettings): Promise<number> {
  const options = await optionsOf(settings);
  // Who fixed the roots of this machine has not left them to a client.
  const mode = options.loaded?.isFixed(["roots"]) ? "intersect" : settings.rootsMode;
  const servedApp = opened(options, mode, (roots) => optionsOf({ ...settings, rootsWith: () => roots }));
  if (servedApp === undefined) return 1;
  const { running } = options.dialect?.operatorWords ?? {};
  if (running !== undefined) warnVerbatim(running);
  if (process.stdin.isTTY) warn("Serving MCP on standard input and output, for a client to start; Ctrl-C ends it");
  const code = await serveMcp(servedApp, warn);
  servedApp.close();
  // A read that is under way would keep the process for as long as the disk takes; nobody waits for it any more.
  return process.exit(code);
}

async function optionsOf(settings: CliSettings) {
  const chosen = await withPlugins(await configured(settings, settings.words));
  const dialect = await chosenDialect(chosen);
  return { ...chosen, ...STARTUP_LINES, ...inWordsOf(dialect?.operatorWords), dialect };
}

/** Who watches standard error for the words of another server finds its lines there as they are. */
const inWordsOf = (
  words: NonNullable<Options["dialect"]>["operatorWords"],
): Pick<CommandOptions, "skipped" | "replaced"> =>
  words
    ? {
        skipped: ({ given, kind }) => warnVerbatim(words.skipped(given, kind === "not_a_directory")),
        replaced: (count) => warnVerbatim(words.replaced(count)),
      }
    : {};

/** What the operator hears of. */
export const STARTUP_LINES: Pick<Options, "warn" | "alert" | "notice" | "asked"> = {
  warn,
  alert: warn,
  notice: (notice) => logSoon(noticeLine(notice)),
  asked: reportPendingApproval,
};

/**
 * Undefined when no directory can be used: the server that a dialect stands for ends with code 1 then, not with ours.
 */
function opened(options: CommandOptions, mode: RootsMode | undefined, optionsFor: OptionsFor): ServedApp | undefined {
  try {
    return createServedApp(options, mode, optionsFor);
  } catch (error) {
    if (!isFault(error) || !options.dialect?.takesClientRoots) throw error;
    const { noneUsable } = options.dialect.operatorWords ?? {};
    for (const root of skippedRoots(options)) options.skipped?.(root);
    if (noneUsable !== undefined) warnVerbatim(noneUsable);
    warn(error.message);
    return undefined;
  }
}
