import { childOf } from "../base/paths.ts";
import { OWN_BOOT } from "../base/process-identity.ts";
import { chooseRung, createSandbox, type LocalRung } from "../exec/sandbox/choose.ts";
import { createDockerSandbox } from "../exec/sandbox/docker/docker-sandbox.ts";
import { unnamedImage } from "../exec/sandbox/docker/image-faults.ts";
import { createNoSandbox } from "../exec/sandbox/none.ts";
import { type ProbeResult, probeSandboxes } from "../exec/sandbox/probe.ts";
import type { Rung, Sandbox, SandboxOptions } from "../exec/sandbox/sandbox.ts";
import type { ChosenSandbox } from "../runtime/commands/command-parts.ts";
import type { ExecSandboxConfig } from "../runtime/tools/config.ts";
import type { State } from "../storage/state.ts";

/** Offers the sandboxes of this machine. Each is created at its first use and kept warm. */
export interface Sandboxes {
  choose(config: ExecSandboxConfig): Promise<ChosenSandbox>;
  unconfined(): Sandbox;
  close(): Promise<void>;
}

export function sandboxesOf(state: State, given: Omit<SandboxOptions, "placeholders">): Sandboxes {
  const options = { ...given, placeholders: placeholderNotesIn(state.directory) };
  const created = new Map<string, Sandbox>();
  const kept = (key: string, create: () => Sandbox): Sandbox => {
    const sandbox = created.get(key) ?? create();
    created.set(key, sandbox);
    return sandbox;
  };
  const containers = (image: string | undefined): Sandbox => {
    if (image === undefined) throw unnamedImage();
    return kept(`docker ${image}`, () => createDockerSandbox({ ...options, image }));
  };
  let probing: Promise<ProbeResult> | undefined;
  return {
    async choose({ kind = "auto", image }) {
      if (kind === "docker") return { sandbox: containers(image) };
      const probe = await (probing ??= probed(state));
      const rung = chooseRung(probe, kind);
      return { sandbox: kept(rung, () => createSandbox(rung, probe, options)), note: noteOn(rung, kind) };
    },
    unconfined: () => kept("unconfined", () => createNoSandbox({ hasPidNamespace: false })),
    async close() {
      await Promise.all([...created.values()].map((sandbox) => sandbox.close()));
    },
  };
}

/** Never lets a command run without a sandbox silently. */
const noteOn = (rung: LocalRung, wanted: Rung | "auto"): string | undefined =>
  rung === "none" && wanted === "auto" ? "no sandbox: this machine offers none; holdfast doctor says why" : undefined;

/** Tries the sandboxes once after each start of the machine. */
async function probed(state: State): Promise<ProbeResult> {
  const known = knownProbe(state);
  if (known) return known;
  const found = await probeSandboxes(childOf(state.directory, "probe"));
  state.write(FILE, JSON.stringify([OWN_BOOT, found]));
  return found;
}

/** Returns what was found since the machine was started; undefined where nobody has looked yet. */
export function knownProbe(state: State): ProbeResult | undefined {
  const known = state.read(FILE);
  const [boot, result] = known === null ? [] : (JSON.parse(known) as [string, ProbeResult]);
  return boot === OWN_BOOT ? result : undefined;
}

/** Returns the directory in which processes note the placeholders that they make in roots. */
export const placeholderNotesIn = (home: string): string => childOf(home, "placeholders");

const FILE = "sandboxes.json";
