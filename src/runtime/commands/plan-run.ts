import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { ExecHost } from "../../base/verdicts.ts";
import type { UndoMode } from "../../exec/report.ts";
import type { Sandbox } from "../../exec/sandbox/sandbox.ts";
import { judge } from "../../exec/shell/judge.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import type { ExecConfig } from "../tools/config.ts";
import type { CommandIntent } from "./command-intent.ts";
import type { CommandParts } from "./command-parts.ts";
import { identitiesOf } from "./identities.ts";
import { requireUsable } from "./usable.ts";
import type { ReadyCommand } from "./ready-command.ts";
import { requestsOf } from "./planned-run.ts";
import { scopesOf } from "./stored-scope.ts";
import { shownCommand } from "./shown-command.ts";
import { runCommand } from "./run-command.ts";

/** Plans a command: judges it, chooses where it runs, and freezes what a person approves. */
export async function planRun(parts: CommandParts, intent: RunIntent, view: View): Promise<CommandIntent> {
  const ready = await readyCommand(parts, intent, view);
  const { isElevated, security, ask } = intent.options;
  const isContained = ready.undo === "overlay";
  const scopeOf = scopesOf(parts, ready, intent);
  const requests = await requestsOf(ready.judgement, intent, { isContained, isElevated, security, ask, scopeOf }, view);
  return {
    kind: "command",
    requests,
    effect: shownCommand(ready, intent),
    run: (call) => runCommand(parts, ready, intent, view, call),
  };
}

async function readyCommand(parts: CommandParts, intent: RunIntent, view: View): Promise<ReadyCommand> {
  const { options, command: text, directory } = intent;
  await requireUsable(intent, view);
  const config = parts.config();
  const environment = parts.environment(options.environment);
  const { sandbox, note } = options.isElevated ? elevated(parts) : await parts.sandbox(config);
  requireHost(config, options, sandbox);
  const programs = parts.programs(environment);
  const judgement = judge(text, { programs, home: parts.home, safeBins: config.safeBins ?? [] });
  const identities = await identitiesOf(text, judgement, { programs, directory, view });
  const timeout = timeoutOf(options, config);
  return {
    text,
    command: {
      argv: [SHELL, "--noprofile", "--norc", "-c", judgement.kind === "known" ? judgement.script : text],
      directory,
      environment: environment.variables,
    },
    environment,
    judgement,
    sandbox,
    undo: undoModeOf(options, config, sandbox),
    timeoutMs: timeout.ms,
    yieldMs: options.mode === "foreground" ? (options.yieldMs ?? config.backgroundMs ?? LIMITS.yieldMs) : 0,
    identities,
    notes: [...(note === undefined ? [] : [note]), ...timeout.notes],
  };
}

/** The shell that commands are parsed for. Its own settings files are not read. */
const SHELL = "/bin/bash";

function elevated(parts: CommandParts): { readonly sandbox: Sandbox; readonly note?: undefined } {
  const reason = parts.elevatedGate();
  if (reason === undefined) return { sandbox: parts.unconfined() };
  throw new Fault("denied", `Cannot run without a sandbox: ${reason}`, { argument: "elevated" });
}

/** Refuses a host that the operator did not choose, and a sandbox where there is none. */
function requireHost(config: ExecConfig, { host, isElevated }: RunIntent["options"], sandbox: Sandbox): void {
  const wanted: ExecHost | undefined = host ?? config.host;
  if (wanted === "node" || config.host === "node")
    throw new Fault("invalid_input", "Cannot run a command on another machine: this version cannot reach one");
  if (host !== undefined && config.host !== undefined && host !== config.host)
    throw new Fault(
      "denied",
      `Cannot run a command on "${host}": the configuration says tools.exec.host "${config.host}"`,
    );
  if (wanted === "sandbox" && !isElevated && !sandbox.holds.files)
    throw new Fault("denied", "Cannot run a command in a sandbox: this machine offers none", {
      hint: "holdfast doctor says what is missing and how to install it",
    });
}

/** Lets a command run on a view where that is possible; a job that others must see runs on the files themselves. */
function undoModeOf(
  { mode, hasTerminal, isElevated, isUndoable }: RunIntent["options"],
  config: ExecConfig,
  sandbox: Sandbox,
): UndoMode {
  if (isElevated || !isUndoable) return "none";
  const isLive = mode !== "foreground" || hasTerminal;
  const canChange = (config.sandbox?.workspace ?? "rw") === "rw";
  return !isLive && canChange && sandbox.holds.views ? "overlay" : "none";
}

interface Timeout {
  readonly ms: number | undefined;
  readonly notes: readonly string[];
}

/** Raises a time that is too short for anything. Jobs in the background have none unless it is given. */
function timeoutOf({ timeoutMs, mode }: RunIntent["options"], { timeoutSec }: ExecConfig): Timeout {
  const least = LIMITS.commandTimeoutMsLeast;
  if (timeoutMs !== undefined && timeoutMs < least)
    return { ms: least, notes: [`timeout was raised to ${least / 1000} s, the least there is`] };
  if (timeoutMs !== undefined) return { ms: timeoutMs, notes: [] };
  if (mode !== "foreground") return { ms: undefined, notes: [] };
  return { ms: timeoutSec === undefined ? LIMITS.commandTimeoutMs : timeoutSec * 1000, notes: [] };
}
