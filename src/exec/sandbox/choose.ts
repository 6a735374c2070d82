import { Fault } from "../../base/errors.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { createNoSandbox } from "./none.ts";
import type { ProbeResult } from "./probe.ts";
import type { Rung, Sandbox, SandboxOptions } from "./sandbox.ts";
import { createUnshare } from "./unshare.ts";

/** The rungs that run on this machine itself; containers are chosen by name. */
export type LocalRung = Exclude<Rung, "docker" | "container">;

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
