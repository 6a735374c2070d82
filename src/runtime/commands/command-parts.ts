import type { CommandEnvironment } from "../../exec/environment.ts";
import type { Jobs } from "../../exec/jobs/jobs.ts";
import type { Bounds, Rung, Sandbox } from "../../exec/sandbox/sandbox.ts";
import type { Programs } from "../../exec/shell/judgement.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { BackgroundJobs } from "./background-jobs.ts";
import type { LastComparison } from "./picture-report.ts";
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
  /** Says that the session ends with this call: nothing goes on after it that is not detached. */
  readonly isOneCall: boolean;
  /** Lists what sandboxes have put into roots for the time of a command, so that nothing else can be there. */
  readonly placeholders: () => readonly string[];
  /** Reports commands that end in the background. */
  readonly background: BackgroundJobs;
  /** Chooses the sandbox of a command. The first call tries what this machine offers. */
  readonly sandbox: (config: ExecConfig) => Promise<ChosenSandbox>;
  /** Returns what runs a command on this machine without a sandbox. */
  readonly unconfined: () => Sandbox;
  /** Removes what the sandboxes of this session keep warm. */
  readonly closeSandboxes: () => Promise<void>;
  /** Says why the agent may not run a command without a sandbox; undefined where it may ask to. */
  readonly elevatedGate: () => string | undefined;
  /** Builds the environment of a command. Throws where a requested variable is refused. */
  readonly environment: (requested: Readonly<Record<string, string>>) => CommandEnvironment;
  /** Returns the programs that a command finds, which depend on where it runs. */
  readonly programs: (environment: CommandEnvironment, rung: Rung) => Programs;
  /** Returns the private directories that outlive commands. */
  readonly caches: () => Bounds["caches"];
  readonly home: string;
  readonly closedPlaces: ClosedPlacesFinder;
  /** Remembers up to where each command was polled. */
  readonly polled: Map<string, number>;
  /** Remembers the last comparison for each command with a picture. */
  readonly comparisons: Map<string, LastComparison>;
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
