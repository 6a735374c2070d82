import { Fault, isFault } from "../base/errors.ts";
import { withTimeout } from "../base/timeout.ts";
import { LIMITS } from "../base/limits.ts";
import { type ImageSanitizationLimits, withImagesThatFit } from "../tools/result-images.ts";
import type { Answer, Intent, OutwardIntent, Tool } from "../tools/tool.ts";

/**
 * Wraps a tool of a plugin: whatever it does, its call ends with an answer or a fault that names it. The tool loses its
 * other names, so that it cannot replace a tool that is only hidden.
 */
export function guardedTool(tool: Tool, plugin: string): Tool {
  const { otherNames: _, inputSchema: __, catalogue: ___, ...rest } = tool;
  return {
    ...rest,
    plugin,
    plan: (input, view, facts) =>
      guardedRun(tool, plugin, async () =>
        checkedIntent({ tool, plugin, images: facts.images() }, await tool.plan(input, view, facts)),
      ),
  };
}

/** Turns errors into faults that name the plugin. A fault of the tool is meant for the caller and stays as it is. */
async function guardedRun<Given>({ name }: Tool, plugin: string, work: () => Promise<Given>): Promise<Given> {
  try {
    return await withTimeout(LIMITS.pluginToolMs, work, () => timeoutFault(name, plugin));
  } catch (error) {
    throw isFault(error) ? error : pluginFault(name, plugin, String(error), error);
  }
}

/** One call of a tool of a plugin. */
interface PluginCall {
  readonly tool: Tool;
  readonly plugin: string;
  readonly images: ImageSanitizationLimits;
}

async function checkedIntent(called: PluginCall, intent: Intent): Promise<Intent> {
  if (typeof intent !== "object" || intent === null || !KINDS.includes(intent.kind))
    throw pluginFault(called.tool.name, called.plugin, "it answered nothing that can be understood");
  if (intent.kind === "answer") return { ...intent, ...(await checkedAnswer(called, intent)) };
  return intent.kind === "outward" ? guardedOutward(called, intent) : intent;
}

const KINDS: readonly Intent["kind"][] = ["answer", "change", "outward", "watch"];

const guardedOutward = (called: PluginCall, intent: OutwardIntent): OutwardIntent => ({
  ...intent,
  run: (signal) => guardedRun(called.tool, called.plugin, async () => checkedAnswer(called, await intent.run(signal))),
});

/**
 * Validates an answer against the output schema, since clients refuse one that does not match it. Makes its images fit,
 * since providers refuse the whole conversation for one that does not.
 */
async function checkedAnswer(
  { tool, plugin, images }: PluginCall,
  { blocks, data }: Omit<Answer, "kind">,
): Promise<Omit<Answer, "kind">> {
  if (!Array.isArray(blocks)) throw pluginFault(tool.name, plugin, "its answer has no blocks");
  const { error } = tool.output.safeParse(data);
  if (error) throw pluginFault(tool.name, plugin, `its answer is not what it promises: ${error.issues[0]?.message}`);
  return { blocks: await withImagesThatFit(blocks, tool.name, images), data };
}

const pluginFault = (tool: string, plugin: string, reason: string, cause?: unknown): Fault =>
  new Fault(
    "tool_error",
    `Cannot run ${tool}: the plugin ${JSON.stringify(plugin)} failed: ${reason}`,
    { plugin },
    cause,
  );

const timeoutFault = (tool: string, plugin: string): Fault =>
  new Fault(
    "timeout",
    `Cannot run ${tool}: the plugin ${JSON.stringify(plugin)} took longer than ${LIMITS.pluginToolMs / 1000} s`,
    { plugin },
  );
