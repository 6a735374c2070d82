/** A command as it is started: the shell that parses it, its words, and where it runs. */
export interface Command {
  /** The program by its absolute path, and its arguments: usually `/bin/bash --noprofile --norc -c <text>`. */
  readonly argv: readonly [string, ...string[]];
  /** The real path of the working directory, as the command sees it. */
  readonly directory: string;
  /** The whole environment: nothing of ours is added. */
  readonly environment: Readonly<Record<string, string>>;
  /** Says that the caller set variables, which may hold secrets: no other process may keep them. */
  readonly hasCallerVariables?: boolean | undefined;
}

/** Says how a command ended: one of the two is set. */
export interface CommandExit {
  readonly code: number | null;
  readonly signal: string | null;
}
