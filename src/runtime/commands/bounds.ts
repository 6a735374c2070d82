import { LIMITS } from "../../base/limits.ts";
import { gitControlFiles, outsideRepository } from "../../exec/sandbox/git-directories.ts";
import type { Bounds, Holds, Limits, Network, Sandbox } from "../../exec/sandbox/sandbox.ts";
import type { CommandView } from "../../exec/view/command-view.ts";
import type { View } from "../../workspace/view.ts";
import type { ExecConfig, ExecSandboxConfig } from "../tools/config.ts";
import type { CommandParts } from "./command-parts.ts";

/** Bounds a command by the settings and the rules as they are now. */
export async function boundsOf(
  parts: CommandParts,
  { holds }: Sandbox,
  view: CommandView | undefined,
  workspaceView: View,
): Promise<Bounds> {
  const config = parts.config();
  return {
    roots: parts.owner.roots.map((path) => ({ path, access: accessOf(parts, config) })),
    ...(holds.files ? await placesOf(parts, view, workspaceView) : NO_PLACES),
    network: networkOf(config.sandbox),
    limits: limitsOf(config.sandbox, holds),
    view,
  };
}

type Places = Pick<Bounds, "masked" | "readOnly" | "readable" | "caches">;

/** Finds the places that a sandbox treats in a way of their own, as they are now. */
async function placesOf(parts: CommandParts, view: CommandView | undefined, workspaceView: View): Promise<Places> {
  const { roots } = parts.owner;
  return {
    masked: await parts.closedPlaces.find(parts.rules(), workspaceView, roots),
    readOnly: view ? [] : roots.flatMap(gitControlFiles),
    readable: roots.flatMap((root) => outsideRepository(root, roots)?.directory ?? []),
    caches: parts.caches(),
  };
}

/** Spares a walk through the roots where nothing keeps a command from files. */
const NO_PLACES: Places = { masked: [], readOnly: [], caches: [] };

/** A session that may change nothing runs commands that may change nothing. */
const accessOf = ({ workspace }: CommandParts, { sandbox }: ExecConfig): "none" | "ro" | "rw" =>
  workspace.writing ? (sandbox?.workspace ?? "rw") : sandbox?.workspace === "none" ? "none" : "ro";

const networkOf = ({ network = "off" }: ExecSandboxConfig = {}): Network =>
  typeof network === "string" ? network : { hosts: network };

/** Bounds the processes in every sandbox, so that a command cannot take all of the machine by starting itself. */
const limitsOf = (
  { memoryMb, processes, fileMb, cpuSeconds }: ExecSandboxConfig = {},
  { files: isConfined }: Holds,
): Limits => ({
  memoryBytes: toBytes(memoryMb),
  fileBytes: toBytes(fileMb),
  processes: processes ?? (isConfined ? LIMITS.commandProcesses : undefined),
  cpuSeconds,
});

const toBytes = (megabytes: number | undefined): number | undefined =>
  megabytes === undefined ? undefined : megabytes * 1024 * 1024;
