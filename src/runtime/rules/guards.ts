import { childOf, isWithin, parentOf } from "../../base/paths.ts";
import { STORE_NAME } from "../../base/product.ts";
import type { Act } from "../../base/verdicts.ts";
import type { Layer } from "../../config/layer.ts";
import { operatorPlaces, SYSTEM_DIRECTORY, workspacePlaces } from "../../config/places.ts";
import { filesRunBy, type StartedProgram } from "../hooks/started-programs.ts";
import type { Guard } from "./rules.ts";
import type { ConfiguredTools } from "../tools/policy.ts";

const CHANGING = ["write", "create", "delete", "erase", "move"] as const satisfies readonly Act[];

/** Returns the layer that makes a session read-only. */
export function readOnlyLayer({ startedWith, originOf }: ConfiguredTools = {}): Layer {
  const origin = startedWith?.(KEY) ?? originOf?.(KEY) ?? "readOnly";
  return {
    name: "session",
    rules: [{ act: [...CHANGING], decide: "blocked", reason: "this session is read-only", origin }],
  };
}

const KEY = ["readOnly"];

/** Lists the files that decide what an agent may do and what runs for it, as they are spelled. */
export interface GuardedFiles {
  readonly roots: readonly { readonly given: string; readonly real: string }[];
  /** Lists the real paths of all roots, also of those in other storages: each may hold a store of ours. */
  readonly stored: readonly string[];
  /** Lists where our state is and where it would be by default. */
  readonly stateHomes: readonly string[];
  /** The file that the operator named instead of the user's own. */
  readonly configFile?: string | undefined;
  readonly pluginFiles: readonly string[];
  readonly programs: readonly StartedProgram[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Looks up links and kinds on the disk. */
export interface LinkResolver {
  /** Returns each link on the path and last the real place, whether or not something is there. */
  linksOnPath(path: string): readonly string[];
  kindAt(path: string): "directory" | "other" | undefined;
}

/**
 * Creates guards that no rule can override. Our own files and the file systems of the kernel are out of reach, and
 * files that decide about an agent cannot be written. Links on the way to them are guarded as well, since replacing a
 * link replaces the file.
 */
export function guardsFor(guarded: GuardedFiles, resolver: LinkResolver): readonly Guard[] {
  const roots = guarded.roots.map(({ real }) => real);
  const isInRoot = (place: string): boolean => roots.some((root) => isWithin(place, root));
  const withLinks = (paths: readonly string[]): readonly string[] => paths.flatMap(resolver.linksOnPath);
  const linksTo = (paths: readonly string[]): readonly string[] =>
    paths.flatMap((path) => resolver.linksOnPath(path).slice(0, -1));
  const writeGuards = (places: readonly string[], reason: string): readonly Guard[] =>
    [...new Set(places)].filter(isInRoot).map((within) => changeGuard(within, reason, []));
  const homes = guarded.stateHomes.flatMap((home) => resolver.linksOnPath(home).slice(-1));
  const ours = new Set([...homes, ...guarded.stored.map((root) => childOf(root, STORE_NAME))]);
  return [
    ...[...ours].map((within) => changeGuard(within, "it belongs to Holdfast itself", ["read"])),
    ...KERNEL_PLACES.filter(isInRoot).map((within) => changeGuard(within, "it is not a place for files", ["read"])),
    ...writeGuards(linksTo(guarded.stateHomes), "it leads to what belongs to Holdfast itself"),
    ...writeGuards(linksTo(guarded.roots.map(({ given }) => given)), "it leads to a root of this workspace"),
    ...writeGuards(withLinks(configFilesOf(guarded)), "it sets the limits of this session"),
    ...writeGuards(codeFilesOf(guarded, resolver, withLinks), "it is code that Holdfast runs"),
  ];
}

/** Includes both the user's own file and the one named instead, since either may be used the next time. */
const configFilesOf = ({ env, configFile, roots }: GuardedFiles): readonly string[] =>
  [
    ...operatorPlaces(env, undefined, SYSTEM_DIRECTORY),
    ...operatorPlaces(env, configFile, SYSTEM_DIRECTORY),
    ...workspacePlaces(roots.map(({ real }) => real)),
  ].map(({ file }) => file);

/** Adds the directory of each code file, unless it is or holds a root: code imports what lies beside it. */
function codeFilesOf(
  { roots, pluginFiles, programs, env }: GuardedFiles,
  resolver: LinkResolver,
  withLinks: (paths: readonly string[]) => readonly string[],
): readonly string[] {
  const run = programs.map((program) => filesRunBy(program, env["PATH"], resolver.kindAt));
  const code = [...pluginFiles, ...run.flatMap((files) => files.code)].filter((file) => resolver.kindAt(file));
  const directories = code
    .map((file) => parentOf(resolver.linksOnPath(file).at(-1) as string))
    .filter((directory) => !roots.some(({ real }) => isWithin(real, directory)));
  return [...withLinks([...pluginFiles, ...run.flatMap((files) => files.all)]), ...directories];
}

/** Lists the file systems of the kernel. */
const KERNEL_PLACES = ["/proc", "/sys", "/dev"];

/** Returns true for places in a file system of the kernel, where no state can be kept. */
export const isKernelPlace = (place: string): boolean => KERNEL_PLACES.some((kernel) => isWithin(place, kernel));

const changeGuard = (within: string, reason: string, more: readonly Act[]): Guard => ({
  within,
  acts: [...more, ...CHANGING],
  reason,
});
