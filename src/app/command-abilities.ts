import { isFault } from "../base/errors.ts";
import type { ExecSecurity } from "../base/verdicts.ts";
import { availableTerminal, type TerminalKind } from "../exec/pty/open-terminal.ts";
import { chooseRung, createSandbox } from "../exec/sandbox/choose.ts";
import { describeSandbox, type SandboxReport } from "../exec/sandbox/describe.ts";
import { describeContainers } from "../exec/sandbox/docker/describe.ts";
import { probeInPassing, type ProbeResult } from "../exec/sandbox/probe.ts";
import { type ExecSandboxConfig, isExecOn } from "../runtime/tools/config.ts";
import { execConfigOf } from "../runtime/tools/filter-steps.ts";
import { toolPolicyOf } from "../runtime/tools/policy.ts";
import { kernel } from "../storage/local/jail/kernel.ts";
import { createState } from "../storage/local/state/state.ts";
import type { State } from "../storage/state.ts";
import { homeOf } from "./directories.ts";
import type { Options } from "./options.ts";
import { knownProbe } from "./sandboxes.ts";

/** Says how commands run on this machine, for `doctor`. */
export interface CommandAbilities {
  /** Is false unless the operator lets the agent run commands. */
  readonly enabled: boolean;
  /** Says what may run; absent where the configuration leaves it to the sandbox. */
  readonly security?: ExecSecurity;
  /** Is absent where the sandbox that is configured cannot be used; `problem` says why. */
  readonly sandbox?: SandboxReport;
  readonly problem?: string;
  /** Is true where commands run on a copy-on-write view, so that what they change can be undone. */
  readonly undo: boolean;
  /** Says why there is no view, where the sandbox itself works. */
  readonly no_undo_reason?: string;
  /** Names what opens terminals: the package `zigpty`, or the program `script`; absent without either. */
  readonly terminal?: TerminalKind;
}

/** Looks at what commands would run in. Leaves nothing behind. */
export async function commandAbilitiesOf(options: Options): Promise<CommandAbilities> {
  const tools = toolPolicyOf(options);
  const config = execConfigOf(tools.config, tools.agentContext);
  const state = createState(homeOf(options), options.durability);
  const terminal = await availableTerminal();
  return {
    enabled: isExecOn(config),
    ...(config.security && { security: config.security }),
    ...(await sandboxIn(config.sandbox ?? {}, state)),
    ...(terminal && { terminal }),
  };
}

type SandboxPart = Pick<CommandAbilities, "sandbox" | "problem" | "undo" | "no_undo_reason">;

async function sandboxIn({ kind = "auto", image }: ExecSandboxConfig, state: State): Promise<SandboxPart> {
  try {
    if (kind === "docker") return { sandbox: await describeContainers(process.env, image), undo: false };
    return localSandbox(knownProbe(state) ?? (await probeInPassing()), kind);
  } catch (error) {
    if (!isFault(error)) throw error;
    return { problem: error.message, undo: false };
  }
}

const NO_KERNEL = "the optional package koffi is missing";

function localSandbox(probe: ProbeResult, kind: Exclude<ExecSandboxConfig["kind"], "docker">): SandboxPart {
  const rung = chooseRung(probe, kind);
  const { holds } = createSandbox(rung, probe, { home: "", closed: [], placeholders: "" });
  const reason = rung === "none" ? undefined : holds.views ? NO_KERNEL : probe[rung].reason;
  const undo = holds.views && kernel() !== null;
  return {
    sandbox: describeSandbox(rung, holds, probe),
    undo,
    ...(!undo && reason && { no_undo_reason: reason }),
  };
}
