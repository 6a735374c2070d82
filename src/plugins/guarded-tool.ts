import { Fault, isFault } from "../base/errors.ts";
import { withTimeout } from "../base/timeout.ts";
import { LIMITS } from "../base/limits.ts";
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
      guardedRun(tool, plugin, async () => checkedIntent(tool, plugin, await tool.plan(input, view, facts))),
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

function checkedIntent(tool: Tool, plugin: string, intent: Intent): Intent {
  if (typeof intent !== "object" || intent === null || !KINDS.includes(intent.kind))
    throw pluginFault(tool.name, plugin, "it answered nothing that can be understood");
  if (intent.kind === "answer") return { ...intent, ...checkedAnswer(tool, plugin, intent) };
  return intent.kind === "outward" ? guardedOutward(tool, plugin, intent) : intent;
}

const KINDS: readonly Intent["kind"][] = ["answer", "change", "outward", "watch"];

const guardedOutward = (tool: Tool, plugin: string, intent: OutwardIntent): OutwardIntent => ({
  ...intent,
  run: (signal) => guardedRun(tool, plugin, async () => checkedAnswer(tool, plugin, await intent.run(signal))),
});

/** Validates an answer against the output schema, since clients refuse one that does not match it. */
function checkedAnswer(tool: Tool, plugin: string, { blocks, data }: Omit<Answer, "kind">): Omit<Answer, "kind"> {
  if (!Array.isArray(blocks)) throw pluginFault(tool.name, plugin, "its answer has no blocks");
  const { error } = tool.output.safeParse(data);
  if (error) throw pluginFault(tool.name, plugin, `its answer is not what it promises: ${error.issues[0]?.message}`);
  return { blocks, data };
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
