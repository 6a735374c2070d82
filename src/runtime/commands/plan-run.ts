import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { UndoMode } from "../../exec/report.ts";
import type { Sandbox } from "../../exec/sandbox/sandbox.ts";
import { judge } from "../../exec/shell/judge.ts";
import type { Judgement } from "../../exec/shell/judgement.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import type { ExecConfig } from "../tools/config.ts";
import type { CommandIntent } from "./command-intent.ts";
import type { CommandParts } from "./command-parts.ts";
import { identitiesOf } from "./identities.ts";
import { requireUsable } from "./usable.ts";
import { isLive, type ReadyCommand } from "./ready-command.ts";
import { notOnViewFault } from "./not-on-view.ts";
import { requestsOf } from "./run-permissions.ts";
import { scopesOf } from "./stored-scope.ts";
import { shownCommand } from "./shown-command.ts";
import { runCommand } from "./run-command.ts";

/** Plans a command: judges it, chooses where it runs, and freezes what a person approves. */
export async function planRun(parts: CommandParts, intent: RunIntent, view: View): Promise<CommandIntent> {
  const ready = await readyCommand(parts, intent, view);
  const { isElevated, security, ask, isDryRun } = intent.options;
  const isContained = ready.undo === "overlay";
  if (isDryRun && !isContained) throw notOnViewFault();
  const scopeOf = scopesOf(parts, ready, intent);
  const conditions = { isContained, isMasked: ready.sandbox.holds.files, isElevated, security, ask, scopeOf };
  const requests = await requestsOf(ready.judgement, intent, conditions, view);
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
  if (parts.isOneCall && options.mode === "background") throw endsWithCallFault();
  const config = parts.config();
  const environment = parts.environment(options.environment);
  const { sandbox, note } = options.isElevated ? elevated(parts) : await parts.sandbox(config);
  requireHost(config, options, sandbox);
  const programs = parts.programs(environment, sandbox.rung);
  const judgement = judge(text, { programs, home: parts.home, safeBins: config.safeBins ?? [] });
  const identities = await identitiesOf(text, judgement, { programs, directory, view });
  const timeout = timeoutOf(options, config);
  const isHarmless = changesNothing(judgement, config, sandbox);
  return {
    text,
    command: {
      argv: [SHELL, "--noprofile", "--norc", "-c", judgement.kind === "known" ? judgement.script : text],
      directory,
      environment: environment.variables,
      hasCallerVariables: Object.keys(options.environment).length > 0,
    },
    environment,
    judgement,
    sandbox,
    undo: undoModeOf(parts, options, { sandbox, isHarmless }),
    timeoutMs: timeout.ms,
    yieldMs: yieldMsOf(parts, options, config),
    identities,
    notes: [...(note === undefined ? [] : [note]), ...timeout.notes, ...copyNotes(options)],
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
  if (config.host === "node")
    throw new Fault(
      "invalid_input",
      'Cannot run a command: the configuration says tools.exec.host "node", and this version runs commands on this ' +
        "machine only",
    );
  if (host !== undefined && config.host !== undefined && host !== config.host)
    throw new Fault(
      "denied",
      `Cannot run a command on "${host}": the configuration says tools.exec.host "${config.host}"`,
    );
  if (host === "gateway" && sandbox.rung === "container")
    throw new Fault("denied", "Cannot run a command on this machine: the commands of this agent run in a container");
  if ((host ?? config.host) === "sandbox" && !isElevated && !sandbox.holds.files && sandbox.rung !== "container")
    throw new Fault("denied", "Cannot run a command in a sandbox: this machine offers none", {
      hint: "holdfast doctor says what is missing and how to install it",
    });
}

/**
 * Tells whether a command surely changes no file. Nothing is said about the operator's safe bins, nor about programs of
 * an image.
 */
const changesNothing = (judgement: Judgement, { safeBins = [] }: ExecConfig, { rung }: Sandbox): boolean =>
  judgement.kind === "known" &&
  judgement.places.every(({ act }) => act === "read") &&
  safeBins.length === 0 &&
  rung !== "docker";

/**
 * Lets a command run on a view where that is possible. A job that others must see runs on the files themselves: a
 * picture tells then what it changed. A picture takes longer than most commands, so those that only look have none.
 */
function undoModeOf(
  { workspace, config }: CommandParts,
  options: RunIntent["options"],
  { sandbox, isHarmless }: { readonly sandbox: Sandbox; readonly isHarmless: boolean },
): UndoMode {
  const canChange = workspace.writing !== undefined && (config().sandbox?.workspace ?? "rw") === "rw";
  if (options.isElevated || !options.isUndoable || !canChange) return "none";
  if (!isLive(options) && sandbox.holds.views && workspace.writing.views?.canCreate()) return "overlay";
  if (!isLive(options) && isHarmless) return "none";
  return workspace.writing.pictures ? "picture" : "none";
}

/** Says what a command gives up that is started so that nothing of it can be undone. */
const copyNotes = ({ isElevated, isUndoable }: RunIntent["options"]): readonly string[] =>
  isElevated || !isUndoable ? ["no copies are kept: undo cannot take back what it changes"] : [];

const endsWithCallFault = (): Fault =>
  new Fault(
    "invalid_input",
    "Cannot run a command in the background: it would end with this call; detach: true lets it outlive the call, and " +
      "without background the call waits for its end",
    { argument: "background" },
  );

/** Returns how long a call waits before its command goes on alone: to the end where no later call can ask for it. */
function yieldMsOf({ isOneCall }: CommandParts, { mode, yieldMs }: RunIntent["options"], config: ExecConfig): number {
  if (mode !== "foreground") return 0;
  return isOneCall ? Infinity : (yieldMs ?? config.backgroundMs ?? LIMITS.yieldMs);
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
