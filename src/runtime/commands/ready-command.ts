import type { Command } from "../../exec/command.ts";
import type { CommandEnvironment } from "../../exec/environment.ts";
import type { UndoMode } from "../../exec/report.ts";
import type { Sandbox } from "../../exec/sandbox/sandbox.ts";
import type { Judgement } from "../../exec/shell/judgement.ts";
import type { RunOptions } from "../../tools/tool.ts";
import type { Identities } from "./identities.ts";

/** A command that is ready to run: all that was decided about it. */
export interface ReadyCommand {
  readonly text: string;
  readonly command: Command;
  readonly environment: CommandEnvironment;
  readonly judgement: Judgement;
  readonly sandbox: Sandbox;
  readonly undo: UndoMode;
  readonly timeoutMs: number | undefined;
  readonly yieldMs: number;
  /** Identifies each program and script as it was when the command was decided about. */
  readonly identities: Identities;
  readonly notes: readonly string[];
}

/** Tells whether others work with a command while it runs: it is in the background or has a terminal. */
export const isLive = ({ mode, hasTerminal }: RunOptions): boolean => mode !== "foreground" || hasTerminal;
