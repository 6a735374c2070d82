import type { CommandEnvironment } from "../../exec/environment.ts";
import { quoted, visible } from "../../text/quote.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { CallEffect } from "../effects/call-effect.ts";
import type { ReadyCommand } from "./ready-command.ts";

/**
 * Describes a command completely for the person who approves it. The approval is for exactly this: the text, the
 * directory, the environment, the programs as they are now, and where it runs.
 */
export function shownCommand(ready: ReadyCommand, { options }: RunIntent): CallEffect {
  const { text, command, environment, sandbox, undo, identities, timeoutMs } = ready;
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
    parts: [{ action: "run", path: text, sends: lines.join("\n"), note: environmentNote(environment) }],
    recoverable: undo === "overlay",
  };
}

/**
 * Names the variables that the command gets. Their values are in the digest: a yes holds only while all are the same.
 * Those that the caller set are listed above.
 */
const environmentNote = ({ variables, digest }: CommandEnvironment): string =>
  `environment: ${Object.keys(variables).toSorted().join(" ")}; digest ${digest.slice(0, DIGEST_CHARS)}`;

const DIGEST_CHARS = 16;
