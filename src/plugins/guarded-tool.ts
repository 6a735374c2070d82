import { Fault, isFault } from "../base/errors.ts";
import { withTimeout } from "../base/timeout.ts";
import { LIMITS } from "../base/limits.ts";
import type { Answer, Intent, OutwardIntent, Tool } from "../tools/tool.ts";

/**
 * A tool of a plugin as the engine takes it: whatever it does, its call ends with an answer or a fault that names it. It
 * goes by one name, so that it takes no place of a tool that is only hidden.
 */
export function guardedTool(tool: Tool, plugin: string): Tool {
  const { otherNames: _, shows: __, ...rest } = tool;
  return {
    ...rest,
    plugin,
    plan: (input, view, facts) =>
      held(tool, plugin, async () => sound(tool, plugin, await tool.plan(input, view, facts))),
  };
}

/** What it throws is its own failure, unless it is a fault: that was meant for whoever calls. */
async function held<Given>({ name }: Tool, plugin: string, work: () => Promise<Given>): Promise<Given> {
  try {
    return await withTimeout(LIMITS.pluginToolMs, work, () => late(name, plugin));
  } catch (error) {
    throw isFault(error) ? error : failed(name, plugin, String(error), error);
  }
}

function sound(tool: Tool, plugin: string, intent: Intent): Intent {
  if (typeof intent !== "object" || intent === null || !KINDS.includes(intent.kind))
    throw failed(tool.name, plugin, "it answered nothing that can be understood");
  if (intent.kind === "answer") return { ...intent, ...fitting(tool, plugin, intent) };
  return intent.kind === "outward" ? tendedReach(tool, plugin, intent) : intent;
}

const KINDS: readonly Intent["kind"][] = ["answer", "change", "outward", "watch"];

const tendedReach = (tool: Tool, plugin: string, intent: OutwardIntent): OutwardIntent => ({
  ...intent,
  run: (signal) => held(tool, plugin, async () => fitting(tool, plugin, await intent.run(signal))),
});

/** Clients refuse an answer that is not what its schema promises. */
function fitting(tool: Tool, plugin: string, { blocks, data }: Omit<Answer, "kind">): Omit<Answer, "kind"> {
  if (!Array.isArray(blocks)) throw failed(tool.name, plugin, "its answer has no blocks");
  const { error } = tool.output.safeParse(data);
  if (error) throw failed(tool.name, plugin, `its answer is not what it promises: ${error.issues[0]?.message}`);
  return { blocks, data };
}

const failed = (tool: string, plugin: string, reason: string, cause?: unknown): Fault =>
  new Fault(
    "tool_error",
    `Cannot run ${tool}: the plugin ${JSON.stringify(plugin)} failed: ${reason}`,
    { plugin },
    cause,
  );

const late = (tool: string, plugin: string): Fault =>
  new Fault(
    "timeout",
    `Cannot run ${tool}: the plugin ${JSON.stringify(plugin)} took longer than ${LIMITS.pluginToolMs / 1000} s`,
    { plugin },
  );
