import { homedir } from "node:os";
import { join } from "node:path";
import type { LayerName } from "../base/verdicts.ts";

/** A file that may hold configuration. */
export interface ConfigPlace {
  readonly layer: LayerName;
  readonly file: string;
  /** The operator named it: then it has to be there. */
  readonly isNamed?: boolean;
  /** The root that it lies in and speaks about. */
  readonly root?: string;
}

/** What a workspace calls its own. No tool can write it. */
export const WORKSPACE_FILE = ".holdfast.jsonc";

type Env = Readonly<Record<string, string | undefined>>;

/** What those say who set the limits. A file that is named takes the place of the user's own. */
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

/** Where a machine keeps what holds for all its users. */
export const SYSTEM_DIRECTORY = "/etc/holdfast";
