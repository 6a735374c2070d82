import type { CommandEnvironment } from "../../exec/environment.ts";
import type { Jobs } from "../../exec/jobs/jobs.ts";
import type { Bounds, Sandbox } from "../../exec/sandbox/sandbox.ts";
import type { Programs } from "../../exec/shell/judgement.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ClosedPlacesFinder } from "./closed-places.ts";
import type { Rules } from "../rules/rules.ts";
import type { ExecConfig } from "../tools/config.ts";

/** Holds what running commands needs of the rest of the product. */
export interface CommandParts {
  readonly owner: CommandOwner;
  /** Returns the settings as they are now. */
  readonly config: () => ExecConfig;
  readonly rules: () => Rules;
  readonly workspace: Workspace;
  readonly jobs: Jobs;
  /** Returns where commands run. The first call looks for what this machine offers. */
  readonly sandbox: (config: ExecConfig) => Promise<ChosenSandbox>;
  /** Returns what runs a command on this machine without a sandbox. */
  readonly unconfined: () => Sandbox;
  /** Says why the agent may not run a command without a sandbox; undefined where it may ask to. */
  readonly elevatedGate: () => string | undefined;
  /** Builds the environment of a command. Throws where a requested variable is refused. */
  readonly environment: (requested: Readonly<Record<string, string>>) => CommandEnvironment;
  readonly programs: (environment: CommandEnvironment) => Programs;
  /** Returns the private directories that outlive commands. */
  readonly caches: () => Bounds["caches"];
  readonly home: string;
  readonly closedPlaces: ClosedPlacesFinder;
  /** Remembers up to where each command was polled. */
  readonly polled: Map<string, number>;
}

/** Says whom commands belong to. */
export interface CommandOwner {
  readonly session: string;
  readonly agent: string;
  readonly principal: string;
  /** Lists the real paths of the directories that it may use. */
  readonly roots: readonly SafePath[];
}

/** A sandbox, and what a person should know about the choice. */
export interface ChosenSandbox {
  readonly sandbox: Sandbox;
  readonly note?: string | undefined;
}
