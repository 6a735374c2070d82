import { inject } from "vitest";
import { notRun } from "../programs.ts";

/** Ends the test with "not run" where there is no container engine; under CI that is a failure. Returns its URL. */
export function needsEngine(): string {
  const engine = inject("engine");
  if ("host" in engine) return engine.host;
  return notRun(
    `a container engine (Debian: apt-get install docker.io podman busybox-static bash-static): ${engine.missing}`,
  );
}
