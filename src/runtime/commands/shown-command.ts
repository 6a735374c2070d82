import { quoted, visible } from "../../text/quote.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { CallEffect } from "../effects/call-effect.ts";
import type { ReadyCommand } from "./ready-command.ts";

/**
 * Describes a command completely for the person who approves it. The approval is for exactly this: the text, the
 * directory, the environment, the programs as they are now, and where it runs.
 */
export function shownCommand(ready: ReadyCommand, { options }: RunIntent): CallEffect {
  const { text, command, sandbox, undo, identities, timeoutMs } = ready;
  const lines = [
    `in ${quoted(command.directory)}`,
    ...Object.entries(options.environment).map(([name, value]) => `with ${name}=${quoted(value)}`),
    ...Object.entries(identities).map(([file, identity]) => `runs ${quoted(file)} (${identity})`),
    `sandbox: ${sandbox.rung}; network: ${sandbox.holds.network ? "confined" : "open"}; undo: ${undo}`,
    ...(options.mode === "foreground" ? [] : [`goes on in the background (${options.mode})`]),
    ...(timeoutMs === undefined ? [] : [`ends after ${timeoutMs / 1000} s at the latest`]),
    ...(options.isDryRun ? ["its changes are only shown"] : []),
  ];
  return {
    summary: visible(text),
    parts: [{ action: "run", path: text, sends: lines.join("\n"), note: environmentNote(command.environment) }],
    recoverable: undo === "overlay",
  };
}

/** Names the variables that the command gets, without their values: those that the caller set are listed above. */
const environmentNote = (environment: Readonly<Record<string, string>>): string =>
  `environment: ${Object.keys(environment).toSorted().join(" ")}`;
