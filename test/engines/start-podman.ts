import type { TestProject } from "vitest/node";
import { startEngine } from "./start-engine.ts";

/** Starts a Podman service, for the same tests. */
export default function startPodman(project: TestProject): () => void {
  return startEngine(project, "podman-up.sh", {});
}
