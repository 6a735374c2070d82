import { findSystemProgram } from "../sandbox/system-programs.ts";
import { openScript } from "./script.ts";
import type { NewTerminal, Terminal } from "./terminal.ts";
import { hasZigpty, openZigpty } from "./zigpty.ts";

export type TerminalKind = Terminal["kind"];

/** Returns what would open a terminal here; undefined where nothing could. */
export async function availableTerminal(): Promise<TerminalKind | undefined> {
  if (await hasZigpty()) return "zigpty";
  return findSystemProgram("script") === undefined ? undefined : "script";
}

/** Opens a terminal by the package where that is installed, and by the program `script` elsewhere. */
export const openTerminal = async (wanted: NewTerminal): Promise<Terminal> =>
  (await openZigpty(wanted)) ?? openScript(wanted);
