import type { LocalRung } from "./choose.ts";
import { canBoundRoot } from "./pid-bound.ts";
import type { ProbeResult } from "./probe.ts";
import type { Holds, Rung } from "./sandbox.ts";

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
      ...(process.getuid?.() === 0 && !(holds.files && canBoundRoot()) ? [ROOT_PROCESSES] : []),
    ].join(" "),
    raise: raiseCommands(rung, holds, probe),
  };
}

const CONFINED =
  "Commands see the system and your home read-only without credentials, write only to the roots and a private /tmp, " +
  "reach no network but open hosts, and end with all that they started.";

const STOPS: Readonly<Record<LocalRung, string>> = {
  bubblewrap: CONFINED,
  unshare: CONFINED,
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
