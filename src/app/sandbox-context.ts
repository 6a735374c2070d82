import { nameIn } from "../base/paths.ts";
import { createScriptRunner } from "../exec/sandbox/docker/container-scripts.ts";
import type { ToolPolicyConfig } from "../runtime/tools/config.ts";
import { containerStorage } from "../storage/bridge/container-objects.ts";
import { bridgeStorage, type SandboxFsBridge } from "../storage/bridge/fs-bridge.ts";
import type { Options } from "./options.ts";

/** Describes the sandbox of an agent: a container that its builder made, and how to reach the files in it. */
export interface SandboxContext {
  /** Is false for an agent that works on this machine itself: then only `workspaceDir` counts. */
  readonly enabled?: boolean;
  /** Names a running container of Docker or Podman. Commands run in it, as its own user; it is never ended here. */
  readonly containerName?: string;
  /** The directory of the work on this machine. Without it the files are those of the container. */
  readonly workspaceDir?: string;
  /** The same directory as the container sees it; the default is "/workspace". */
  readonly containerWorkdir?: string;
  /** Adds variables to the environment of commands in the container. */
  readonly docker?: { readonly env?: Readonly<Record<string, string>> };
  /**
   * With "ro" or "none" the agent cannot change files: it gets no tools that do, and commands run only in a container
   * that shows the directory read-only. Without it there are no such tools either, and commands may do what they can.
   */
  readonly workspaceAccess?: "none" | "ro" | "rw";
  /** Reads and writes the files instead of this machine, by paths that begin with `workspaceDir`. */
  readonly fsBridge?: SandboxFsBridge;
  /** Lists the tools that the agent gets in this sandbox, in place of those of the configuration. */
  readonly tools?: SandboxToolPolicy;
  /** Reserved for a browser. Has no effect until there is one. */
  readonly browserAllowHostControl?: boolean;
  readonly browser?: { readonly bridgeUrl: string };
}

export interface SandboxToolPolicy {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** Returns the options that a sandbox stands for. The given roots replace those of the sandbox. */
export function optionsOfSandbox(
  context: SandboxContext | null | undefined,
  roots: Options["roots"] | undefined,
  config: ToolPolicyConfig | undefined,
): Pick<Options, "roots" | "container" | "toolConfig" | "readOnly"> {
  if (!context || !isEnabled(context))
    return { roots: roots ?? [context?.workspaceDir ?? []].flat(), toolConfig: config, readOnly: false };
  return {
    roots: roots ?? rootsOfSandbox(context),
    container: containerOf(context),
    toolConfig: withSandboxTools(config, context),
    readOnly: context.workspaceAccess !== "rw",
  };
}

export const isEnabled = ({ enabled = true }: SandboxContext): boolean => enabled;

function containerOf(context: SandboxContext): Options["container"] {
  const { containerName: name, containerWorkdir = WORKDIR, docker, workspaceDir, workspaceAccess } = context;
  if (name === undefined) return undefined;
  const environment = docker?.env ?? {};
  return { name, directory: containerWorkdir, environment, root: workspaceDir, access: workspaceAccess };
}

const WORKDIR = "/workspace";

/** Returns where the files of a sandbox are: behind its bridge, in a directory of this machine, or in the container. */
function rootsOfSandbox(context: SandboxContext): Options["roots"] {
  const { workspaceDir, containerWorkdir = WORKDIR, containerName, docker, fsBridge } = context;
  const name = storageName(containerWorkdir);
  if (fsBridge) return [{ name, storage: bridgeStorage(fsBridge, workspaceDir ?? containerWorkdir) }];
  if (workspaceDir !== undefined) return [workspaceDir];
  if (containerName === undefined) return [];
  const run = createScriptRunner({ name: containerName, environment: docker?.env ?? {} });
  return [{ name, storage: containerStorage(run, containerWorkdir) }];
}

/** Names the storage after the directory: then "/workspace/a.ts", which commands show, also leads to the file. */
const storageName = (directory: string): string =>
  nameIn(directory).replaceAll(/^[^A-Za-z0-9]+|[^\w.-]/g, "") || "workspace";

/** Adds the list of tools of a sandbox to a configuration. */
function withSandboxTools(config: ToolPolicyConfig | undefined, context: SandboxContext) {
  if (!context.tools) return config;
  return { ...config, tools: { ...config?.tools, sandbox: { tools: context.tools } } };
}
