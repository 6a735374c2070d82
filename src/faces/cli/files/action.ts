import type { MergedSettings } from "../../../app/merged-settings.ts";
import type { FileManager, StorageOptions } from "../../sdk/file-manager.ts";
import type { FileFlags } from "../file-flags.ts";
import type { CliSettings } from "../flags.ts";

/** One action of `holdfast file`. */
export interface Action {
  /** The words that it takes. One that ends with "?" is optional. */
  readonly takes: readonly string[];
  readonly flags: readonly (keyof FileFlags)[];
  readonly example: string;
  run(context: ActionContext, words: readonly string[]): Promise<ActionResult>;
}

export interface ActionContext {
  readonly files: FileManager;
  /** Selects the storage. */
  readonly storage: StorageOptions;
  readonly settings: CliSettings;
  /** The settings merged with the configuration files. */
  readonly options: MergedSettings;
}

/** Holds data for programs, and text or raw bytes for people. */
export interface ActionResult {
  readonly data: unknown;
  readonly text: string | Uint8Array;
  readonly exitCode?: number;
}
