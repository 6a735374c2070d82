import type { Options } from "./options.ts";

/** Holds the checked values of flags and environment, before they are merged with configuration files. */
export interface Settings extends Pick<
  Options,
  | "profile"
  | "exec"
  | "agentContext"
  | "contextWindow"
  | "approvalWaitMs"
  | "stateDirectory"
  | "durability"
  | "trashHours"
  | "configFile"
  | "cliCommand"
> {
  /** Returns the directories of the command line, or else those of the environment. */
  rootsWith(words: readonly string[]): readonly string[];
  /** Maps names to directories. */
  readonly sources: Readonly<Record<string, string>>;
  /** Returns the flag or variable that sets a key of the configuration; undefined when neither does. */
  setBy(key: string): string | undefined;
  /** Names a dialect. */
  readonly dialectName: string | undefined;
  readonly readOnly: boolean;
  readonly loopDetection: boolean;
}
