import { Fault } from "../../../base/errors.ts";
import { childOf } from "../../../base/paths.ts";
import { readOwnFile, replaceOwnFile, unlessMissing, withOwnFault } from "./own-file.ts";
import { freshFile } from "./stale-files.ts";

/** Counts the layouts of the state directory. The first one had a folder for each list of roots, and no such file. */
const FORMAT = 2;

const NAME = "format";

/** Throws when a newer version has written to the state: it may mean what we would damage. */
export function requireKnownFormat(home: string): void {
  const text = formatIn(home) ?? String(FORMAT);
  if (!/^\d+\n?$/.test(text)) throw damagedFault(home);
  if (Number(text) <= FORMAT) return;
  throw new Fault(
    "invalid_input",
    `Cannot use the state in ${JSON.stringify(home)}: a newer version of Holdfast made it`,
    {
      hint: "Update Holdfast, or set HOLDFAST_STATE to another directory",
    },
  );
}

const damagedFault = (home: string): Fault =>
  new Fault("invalid_input", `Cannot use the state in ${JSON.stringify(home)}: its file "${NAME}" is damaged`, {
    hint: `Write ${FORMAT} into it, unless a newer version of Holdfast was used here, or set HOLDFAST_STATE to another directory`,
  });

/** Says for later versions which layout this is. */
export function writeFormat(home: string): void {
  if (formatIn(home) !== undefined) return;
  replaceOwnFile(childOf(home, NAME), freshFile(home), `${FORMAT}\n`);
}

/** Returns undefined where no process has written it yet. */
const formatIn = (home: string): string | undefined =>
  withOwnFault((name: string) => unlessMissing(() => readOwnFile(childOf(home, name))))(NAME);
