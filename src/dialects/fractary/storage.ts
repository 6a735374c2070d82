import { resolve } from "node:path";
import { Fault } from "../../base/errors.ts";
import type { Native, NativeName } from "../native.ts";

/** Confines native calls to one storage. Not even links lead to another storage of the same operator. */
export interface Storage<Uses extends NativeName> extends Native<Uses> {
  /** Returns the absolute path of a file. */
  fullPath(path: string): string;
}

/** Returns the operator's first directory, or the named one. Throws for an unknown name instead of falling back. */
export function storageOf<Uses extends NativeName>(name: string | undefined, native: Native<Uses>): Storage<Uses> {
  const directory = directoryOf(name, native);
  return { ...native.within(directory), fullPath: (path) => resolve(directory, path) };
}

function directoryOf(name: string | undefined, { roots: [base = "/"], sources }: Directories): string {
  if (name === undefined) return base;
  const source = sources.get(name);
  if (!source)
    throw new Fault("invalid_input", `Unknown source '${name}': ${sourcesText(sources)}`, { argument: "source" });
  if (source.reason === undefined) return source.given;
  throw new Fault("root_gone", `Source '${name}' cannot be used: ${source.reason}`);
}

type Directories = Pick<Native, "roots" | "sources">;

const sourcesText = (sources: Directories["sources"]): string =>
  sources.size === 0 ? "none is configured" : `the sources are ${[...sources.keys()].join(", ")}`;
