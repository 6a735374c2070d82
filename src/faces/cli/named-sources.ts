import { delimiter } from "node:path";
import { type ValueWithOrigin, unusableValueFault } from "./value-with-origin.ts";

/** Holds the directories with names that the flags or the environment give. */
interface NamedSources {
  readonly sources: Readonly<Record<string, string>>;
  /** The source to use, which is a `--source` without a directory. */
  readonly source: string | undefined;
  /** The flag or variable that names directories. Is undefined if neither does. */
  readonly setBy: string | undefined;
}

/** Reads the sources of the command line, or else of the environment, separated like PATH. */
export function sourcesOf(flags: readonly string[], variable = ""): NamedSources {
  const [source, another] = flags.filter((each) => !each.includes("="));
  if (another !== undefined) throw unusableValueFault({ origin: FLAG, value: another }, "one name is enough");
  const given = flags.filter((each) => each.includes("=")).map((value) => ({ origin: FLAG, value }));
  const inherited = variable.split(delimiter).filter(Boolean);
  const named: readonly ValueWithOrigin[] =
    given.length > 0 ? given : inherited.map((value) => ({ origin: VARIABLE, value }));
  const sources = new Map<string, string>();
  for (const each of named) {
    const [, name = "", directory = ""] = /^([^=]+)=(.+)$/s.exec(each.value) ?? [];
    if (name === "") throw unusableValueFault(each, NAME_AND_DIRECTORY);
    if (sources.has(name)) throw unusableValueFault(each, "the name is taken");
    sources.set(name, directory);
  }
  return { sources: Object.fromEntries(sources), source, setBy: named[0]?.origin };
}

const FLAG = "--source";
const VARIABLE = "HOLDFAST_SOURCE";

export const NAME_AND_DIRECTORY = "give a name and a directory, such as archive=/srv/archive";
