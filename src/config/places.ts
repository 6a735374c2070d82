import { homedir } from "node:os";
import { join } from "node:path";
import type { LayerName } from "../base/verdicts.ts";

/** A file that may hold configuration. */
export interface ConfigPlace {
  readonly layer: LayerName;
  readonly file: string;
  /** Is true if the operator named the file: then it must exist. */
  readonly isNamed?: boolean;
  /** The root that the file is in and applies to. */
  readonly root?: string;
}

/** Names the configuration file of a workspace. No tool can write it. */
export const WORKSPACE_FILE = ".holdfast.jsonc";

type Env = Readonly<Record<string, string | undefined>>;

/** Lists the files of the system, the organisation and the user. `named` replaces the user's own file. */
export function operatorPlaces(env: Env, named: string | undefined, systemDirectory: string): readonly ConfigPlace[] {
  const home = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
  const own = join(home, "holdfast", "config.jsonc");
  return [
    { layer: "system", file: join(systemDirectory, "config.jsonc") },
    { layer: "organisation", file: join(systemDirectory, "organisation.jsonc") },
    named === undefined ? { layer: "user", file: own } : { layer: "user", file: named, isNamed: true },
  ];
}

export const workspacePlaces = (roots: readonly string[]): readonly ConfigPlace[] =>
  roots.map((root) => ({ layer: "workspace", file: join(root, WORKSPACE_FILE), root }));

/** Holds the configuration for all users of a machine. */
export const SYSTEM_DIRECTORY = "/etc/holdfast";
