import { openScript } from "./script.ts";
import type { NewTerminal, Terminal } from "./terminal.ts";
import { openZigpty } from "./zigpty.ts";

/** Opens a terminal by the package where that is installed, and by the program `script` elsewhere. */
export const openTerminal = async (wanted: NewTerminal): Promise<Terminal> =>
  (await openZigpty(wanted)) ?? openScript(wanted);
