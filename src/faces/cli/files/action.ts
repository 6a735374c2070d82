import type { Options } from "../../../app/options.ts";
import type { FileManager, StorageOptions } from "../../sdk/file-manager.ts";
import type { FileFlags, CliSettings } from "../flags.ts";

/** One thing that `holdfast file` does. */
export interface Action {
  /** Its words; one with "?" may be left out. */
  readonly takes: readonly string[];
  readonly flags: readonly (keyof FileFlags)[];
  readonly example: string;
  run(bench: ActionContext, words: readonly string[]): Promise<ActionResult>;
}

/** What an action works with. */
export interface ActionContext {
  readonly files: FileManager;
  /** Which storage is meant. */
  readonly storage: StorageOptions;
  readonly settings: CliSettings;
  /** The same with what configuration files say. */
  readonly options: Options;
}

/** What an action gives: data for programs; text, or bytes as they are, for people. */
export interface ActionResult {
  readonly data: unknown;
  readonly text: string | Uint8Array;
  readonly exitCode?: number;
}
