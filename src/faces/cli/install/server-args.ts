import { resolve } from "node:path";

type Value = string | boolean | readonly (string | boolean)[] | undefined;

/** Returns the flags of a command line that a server takes, as its arguments, with paths that hold from anywhere. */
export const serverArgsOf = (
  values: Readonly<Record<string, Value>>,
  flags: Readonly<Record<string, object>>,
): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    "env" in (flags[name] ?? {}) && !NOT_PASSED_ON.has(name)
      ? [value].flat().flatMap((each) => argumentOf(name, each))
      : [],
  );

/** The directories are words of their own, and a server has no output to format. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set(["root", "json"]);

function argumentOf(name: string, value: string | boolean | undefined): readonly string[] {
  if (typeof value !== "string") return value === true ? [`--${name}`] : [];
  if (name === "config" || name === "state") return [`--${name}=${resolve(value)}`];
  return [`--${name}=${name === "source" ? absoluteSource(value) : value}`];
}

const absoluteSource = (source: string): string =>
  source.replace(/^([^=]+)=(.+)$/s, (_all, name: string, directory: string) => `${name}=${resolve(directory)}`);

/** Names the first flag that only a server of its own obeys. The state is also where the history of install is. */
export const flagForServer = (args: readonly string[]): string | undefined =>
  args.map((arg) => arg.split("=", 1)[0] ?? "").find((flag) => flag !== "--state");
