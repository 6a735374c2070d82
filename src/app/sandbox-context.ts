import { nameIn } from "../base/paths.ts";
import { createScriptRunner } from "../exec/sandbox/docker/container-scripts.ts";
import type { ToolPolicyConfig } from "../runtime/tools/config.ts";
import { containerStorage } from "../storage/bridge/container-objects.ts";
import { bridgeStorage, type SandboxFsBridge } from "../storage/bridge/fs-bridge.ts";
import type { Options } from "./options.ts";

/** Describes the sandbox of an agent: a container that its builder made, and how to reach the files in it. */
export interface SandboxContext {
  /** Is false for an agent that works on this machine itself. */
  readonly enabled?: boolean;
  readonly containerName?: string;
  /** The directory of the work on this machine. Without it the files are those of the container. */
  readonly workspaceDir?: string;
  /** The same directory as the container sees it; the default is "/workspace". */
  readonly containerWorkdir?: string;
  readonly docker?: { readonly env?: Readonly<Record<string, string>> };
  /** With "ro" or "none" the agent cannot change files: it gets no tools that do. The default is "ro". */
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

/** Returns where the files of a sandbox are: behind its bridge, in a directory of this machine, or in the container. */
export function rootsOfSandbox(context: SandboxContext): Options["roots"] {
  const { workspaceDir, containerWorkdir = "/workspace", containerName, docker, fsBridge } = context;
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
export function withSandboxTools(config: ToolPolicyConfig | undefined, context: SandboxContext) {
  if (!context.tools) return config;
  return { ...config, tools: { ...config?.tools, sandbox: { tools: context.tools } } };
}
