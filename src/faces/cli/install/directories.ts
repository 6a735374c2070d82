import { homedir } from "node:os";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Returns paths of this user and machine. */
export interface Directories {
  readonly home: (path: string) => string;
  /** Below `~/.config`, or what `XDG_CONFIG_HOME` says. */
  readonly config: (path: string) => string;
  /** Below the directory that desktop programs use. */
  readonly application: (path: string) => string;
  /** Below the directory that a variable names, or else below one of the home. */
  readonly variable: (name: string, otherwise: string, path: string) => string;
  readonly isMac: boolean;
}

export function directoriesOf(env: Env, platform: NodeJS.Platform = process.platform): Directories {
  const top = env["HOME"] || homedir();
  const configHome = env["XDG_CONFIG_HOME"] || join(top, ".config");
  const isMac = platform === "darwin";
  return {
    home: (path) => join(top, path),
    config: (path) => join(configHome, path),
    application: (path) => join(isMac ? join(top, "Library/Application Support") : configHome, path),
    variable: (name, otherwise, path) => join(env[name] || join(top, otherwise), path),
    isMac,
  };
}
