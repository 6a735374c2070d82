import { Fault } from "../../../base/errors.ts";
import { childOf } from "../../../base/paths.ts";
import { OWN_PROCESS } from "../../../base/process-identity.ts";
import { readOwnFile, replaceOwnFile, unlessMissing, withOwnFault } from "./own-file.ts";

/** Counts the layouts of the state directory. The first one had a folder for each list of roots, and no such file. */
const FORMAT = 2;

/** Throws when a newer version has written to the state: it may mean what we would damage. */
export function requireKnownFormat(home: string): void {
  const found = Number(formatIn(home) ?? FORMAT);
  if (found <= FORMAT) return;
  throw new Fault(
    "invalid_input",
    `Cannot use the state in ${JSON.stringify(home)}: a newer version of Holdfast made it`,
    {
      hint: "Update Holdfast, or set HOLDFAST_STATE to another directory",
    },
  );
}

/** Says for later versions which layout this is. */
export function writeFormat(home: string): void {
  if (formatIn(home) !== undefined) return;
  replaceOwnFile(childOf(home, NAME), childOf(home, `fresh-${OWN_PROCESS}`), `${FORMAT}\n`);
}

const NAME = "format";

/** Returns undefined where no process has written it yet. */
const formatIn = (home: string): string | undefined =>
  withOwnFault((name: string) => unlessMissing(() => readOwnFile(childOf(home, name))))(NAME);
