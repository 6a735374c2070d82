import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { Fault, isFault } from "../../../base/errors.ts";
import { quoted } from "../../../text/quote.ts";
import type { Ask } from "../../../app/ask.ts";
import { faultText } from "../fault-text.ts";
import { type CliSettings, readSettings } from "../flags.ts";
import { withDirectories } from "../scope.ts";
import type { InstallPlan } from "./plan.ts";

/** The change that the engine made, or would make in a dry run, or why it made none. */
export interface WrittenPlan {
  readonly change_id?: string;
  readonly diff?: string;
  readonly error?: string;
}

/**
 * Writes a planned change through the engine, in a workspace on the directory of the file: journaled, atomic, with the
 * old content in the history.
 */
export async function writePlan(settings: CliSettings, plan: InstallPlan, isDryRun: boolean): Promise<WrittenPlan> {
  const file = realPathOf(plan.file);
  const root = existingAbove(dirname(file));
  let written: WrittenPlan = {};
  await withDirectories(ownSettings(settings), [root], async ({ ask }) => {
    written = await write(ask, relative(root, file), file, plan, isDryRun).catch(asError);
  });
  return written;
}

/** Leaves out the flags that are for the server: what `--read-only` forbids it, install itself may do. */
const ownSettings = ({ json, stateDirectory }: CliSettings): CliSettings => ({
  ...readSettings([], process.env),
  json,
  stateDirectory,
});

function asError(error: unknown): WrittenPlan {
  if (!isFault(error)) throw error;
  return { error: faultText(error) };
}

async function write(
  ask: Ask,
  path: string,
  file: string,
  { before, after = "" }: InstallPlan,
  isDryRun: boolean,
): Promise<WrittenPlan> {
  const version = before && (await ask<{ version: string }>("read", { path, limit: 1 })).version;
  // The version may be of a newer content than the one that was planned for.
  if (before && !readFileSync(file).equals(before))
    throw new Fault("conflict", `Cannot change ${quoted(file)}: it has changed meanwhile; run the command again`);
  const content = Buffer.from(after).toString("base64");
  const precondition = version === undefined ? { overwrite: false } : { overwrite: true, if_match: version };
  return ask<WrittenPlan>("write", { path, content, encoding: "base64", ...precondition, dry_run: isDryRun });
}

/** Follows links, so that the file of a dotfile manager is changed and its link stays. */
const realPathOf = (file: string): string =>
  existsSync(file) ? realpathSync(file) : join(realDirectoryOf(dirname(file)), basename(file));

function realDirectoryOf(directory: string): string {
  const existing = existingAbove(directory);
  return join(realpathSync(existing), relative(existing, directory));
}

const existingAbove = (directory: string): string =>
  existsSync(directory) ? directory : existingAbove(dirname(directory));
