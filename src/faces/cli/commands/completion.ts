import { bashScript } from "../completion/bash.ts";
import { completedCommands, completedFlags } from "../completion/completions.ts";
import { fishScript } from "../completion/fish.ts";
import { type Shell, SHELLS } from "../completion/shells.ts";
import { zshScript } from "../completion/zsh.ts";
import type { CliSettings } from "../flags.ts";
import { usage } from "../terminal.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Runs `holdfast completion <shell>`: prints the completion script of a shell. */
export async function completion({ words }: CliSettings): Promise<number> {
  const [shell = ""] = words;
  if (!isShell(shell) || words.length > 1)
    return usage("print a completion script", `give ${SHELLS.join(", ")}`, "holdfast completion bash");
  process.stdout.write(SCRIPTS[shell](completedCommands(), completedFlags()));
  return 0;
}

const isShell = (word: string): word is Shell => (SHELLS as readonly string[]).includes(word);
