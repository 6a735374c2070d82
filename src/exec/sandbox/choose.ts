import { Fault } from "../../base/errors.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { createNoSandbox } from "./none.ts";
import type { ProbeResult } from "./probe.ts";
import type { Holds, Rung, Sandbox, SandboxOptions } from "./sandbox.ts";
import { createUnshare } from "./unshare.ts";

/** The rungs that run on this machine itself; containers are asked for by name. */
export type LocalRung = Exclude<Rung, "docker">;

/** Chooses the strongest rung that works, or the one that was asked for. Throws where that one does not work. */
export function chooseRung(probe: ProbeResult, wanted: LocalRung | "auto" = "auto"): LocalRung {
  if (wanted === "none") return "none";
  const working = (["bubblewrap", "unshare"] as const).filter((rung) => probe[rung].works);
  if (wanted === "auto") return working.find((rung) => probe[rung].hasViews) ?? working[0] ?? "none";
  if (working.includes(wanted)) return wanted;
  throw new Fault("io", `Cannot use the sandbox ${wanted}: ${probe[wanted].reason ?? "it does not work"}`, {
    hint: "Nothing ran, and nothing runs without the sandbox that is configured: ask the user to run holdfast doctor",
  });
}

export function createSandbox(rung: LocalRung, probe: ProbeResult, options: SandboxOptions): Sandbox {
  switch (rung) {
    case "bubblewrap":
      return createBubblewrap({ ...options, ...probe.bubblewrap });
    case "unshare":
      return createUnshare({ ...options, ...probe.unshare });
    case "none":
      return createNoSandbox(probe);
  }
}

/** Describes the rung in force, for `doctor`. */
export interface SandboxReport {
  readonly rung: Rung;
  readonly stops: string;
  readonly lets: string;
  /** Commands for a person that bring a stronger rung. */
  readonly raise: readonly string[];
}

/** Says what a rung stops and what not, and how to get a stronger one. */
export function describeSandbox(rung: LocalRung, holds: Holds, probe: ProbeResult): SandboxReport {
  return {
    rung,
    stops: STOPS[rung],
    lets: [
      LETS[rung],
      ...(holds.views || rung === "none" ? [] : [NO_VIEWS]),
      ...(process.getuid?.() === 0 ? [ROOT_PROCESSES] : []),
    ].join(" "),
    raise: raiseCommands(rung, holds, probe),
  };
}

const STOPS: Readonly<Record<LocalRung, string>> = {
  bubblewrap:
    "Commands see the system and your home read-only without credentials, write only to the roots and a private /tmp, " +
    "reach no network but open hosts, and end with all that they started.",
  unshare:
    "Commands see the system and your home read-only without credentials, write only to the roots and a private /tmp, " +
    "reach no network but open hosts, and end with all that they started.",
  none: "Commands end with what they started, as far as the machine can; nothing else is held.",
};

const LETS: Readonly<Record<LocalRung, string>> = {
  bubblewrap: "The kernel is shared: a hole in it is a way out. Sockets inside the roots can be reached.",
  unshare:
    "The kernel is shared: a hole in it is a way out. Sockets inside the roots can be reached, and keys of your " +
    "session in the key store of the kernel.",
  none: "Commands can read, change and send whatever you can, also the state and the configuration of Holdfast.",
};

const NO_VIEWS = "Commands run on the directories themselves: the machine cannot mount copy-on-write views.";

const ROOT_PROCESSES = "You are root: the kernel does not bound the number of your processes.";

function raiseCommands(rung: LocalRung, holds: Holds, { bubblewrap }: ProbeResult): readonly string[] {
  if (process.platform !== "linux") return [];
  const isRestricted = /permission denied|operation not permitted|setting up uid map/i.test(bubblewrap.reason ?? "");
  return [
    ...(rung !== "bubblewrap" && bubblewrap.reason === "it is not installed" ? ["apt install bubblewrap"] : []),
    ...((rung === "none" || !holds.views) && isRestricted ? USERNS_COMMANDS : []),
  ];
}

/** Ubuntu 24.04 forbids user namespaces by AppArmor, other systems by a setting of their own. */
const USERNS_COMMANDS = [
  "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  "sysctl -w kernel.unprivileged_userns_clone=1",
];
