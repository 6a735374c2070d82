import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { joined } from "../../exec/shell/paths.ts";
import { preflight, type ScriptRun, shellSyntaxIn } from "../../exec/shell/preflight.ts";
import type { RunIntent } from "../../tools/tool.ts";
import { readWholeFile } from "../../workspace/read/whole-file.ts";
import type { View } from "../../workspace/view.ts";

/** Refuses a command that cannot do what its caller wants: one that never ends, or a script in the wrong language. */
export async function requireUsable({ command, directory, options }: RunIntent, view: View): Promise<void> {
  const { servers, scripts } = preflight(command);
  const waits = options.mode === "foreground" && !options.hasTerminal && options.timeoutMs === undefined;
  if (waits && servers.length > 0)
    throw new Fault("invalid_input", `Cannot wait for the command: ${servers.join("; ")}`, {
      hint: "Set background: true and poll it with process, or give it a timeout",
    });
  for (const script of scripts) {
    const problem = shellSyntaxIn(script, await sourceOf(script, directory, view));
    if (problem !== undefined) throw new Fault("invalid_input", `Cannot run the command: ${problem}`);
  }
}

/** Returns the text of a script; nothing where it is missing, outside the directories, or long. */
async function sourceOf({ path }: ScriptRun, directory: string, view: View): Promise<string> {
  try {
    const script = joined(directory, path);
    const facts = await view.stat(script, "follow");
    if (facts?.kind !== "file" || facts.size > LIMITS.scriptBytes) return "";
    return Buffer.from((await view.withFile(script, readWholeFile)).bytes).toString();
  } catch (error) {
    if (isFault(error)) return "";
    throw error;
  }
}
