import { childOf, isWithin, parentOf } from "../../base/paths.ts";
import { STORE_NAME } from "../../base/product.ts";
import type { Act } from "../../base/verdicts.ts";
import type { Layer } from "../../config/layer.ts";
import { operatorPlaces, SYSTEM_DIRECTORY, workspacePlaces } from "../../config/places.ts";
import { filesRunBy, type StartedProgram } from "../hooks/started-programs.ts";
import type { Guard } from "./rules.ts";
import type { WrittenTools } from "../tools/policy.ts";

const CHANGING = ["write", "create", "delete", "erase", "move"] as const satisfies readonly Act[];

/** What a read-only session adds to the rules. */
export function readOnlyLayer({ startedWith, originOf }: WrittenTools = {}): Layer {
  const origin = startedWith?.(KEY) ?? originOf?.(KEY) ?? "readOnly";
  return {
    name: "session",
    rules: [{ act: [...CHANGING], decide: "blocked", reason: "this session is read-only", origin }],
  };
}

const KEY = ["readOnly"];

/** All that decides what an agent may do and what runs on its behalf, as it is spelled. */
export interface GuardedFiles {
  readonly roots: readonly { readonly given: string; readonly real: string }[];
  /** Where our state is kept, and where it would be. */
  readonly stateHomes: readonly string[];
  /** The file that the operator named instead of the user's own. */
  readonly configFile?: string | undefined;
  readonly pluginFiles: readonly string[];
  readonly programs: readonly StartedProgram[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How the disk is looked at. */
export interface LinkResolver {
  /** Each link on the way, and last the place at its end, there or not. */
  linksOnPath(path: string): readonly string[];
  kindAt(path: string): "directory" | "other" | undefined;
}

/**
 * Whatever the rules say: what is ours and what the kernel shows of itself is out of reach, and what decides about an
 * agent is not written. Each link on the way to such a file is guarded as well: who replaces it replaces the file.
 */
export function guardsFor(guarded: GuardedFiles, finder: LinkResolver): readonly Guard[] {
  const roots = guarded.roots.map(({ real }) => real);
  const isInRoot = (place: string): boolean => roots.some((root) => isWithin(place, root));
  const waysTo = (paths: readonly string[]): readonly string[] => paths.flatMap(finder.linksOnPath);
  const linksTo = (paths: readonly string[]): readonly string[] =>
    paths.flatMap((path) => finder.linksOnPath(path).slice(0, -1));
  const unwritten = (places: readonly string[], reason: string): readonly Guard[] =>
    [...new Set(places)].filter(isInRoot).map((within) => changeGuard(within, reason, []));
  const homes = guarded.stateHomes.flatMap((home) => finder.linksOnPath(home).slice(-1));
  const ours = new Set([...homes, ...roots.map((root) => childOf(root, STORE_NAME))]);
  return [
    ...[...ours].map((within) => changeGuard(within, "it belongs to Holdfast itself", ["read"])),
    ...KERNEL_PLACES.filter(isInRoot).map((within) => changeGuard(within, "it is not a place for files", ["read"])),
    ...unwritten(linksTo(guarded.stateHomes), "it leads to what belongs to Holdfast itself"),
    ...unwritten(linksTo(guarded.roots.map(({ given }) => given)), "it leads to a root of this workspace"),
    ...unwritten(waysTo(configFilesOf(guarded)), "it sets the limits of this session"),
    ...unwritten(codeFilesOf(guarded, finder, waysTo), "it is code that Holdfast runs"),
  ];
}

/** Of the user's own file and the one named instead, each may count the next time. */
const configFilesOf = ({ env, configFile, roots }: GuardedFiles): readonly string[] =>
  [
    ...operatorPlaces(env, undefined, SYSTEM_DIRECTORY),
    ...operatorPlaces(env, configFile, SYSTEM_DIRECTORY),
    ...workspacePlaces(roots.map(({ real }) => real)),
  ].map(({ file }) => file);

/** Code takes in what lies beside it: its directory is guarded with it, unless that is a root or holds one. */
function codeFilesOf(
  { roots, pluginFiles, programs, env }: GuardedFiles,
  finder: LinkResolver,
  waysTo: (paths: readonly string[]) => readonly string[],
): readonly string[] {
  const run = programs.map((program) => filesRunBy(program, env["PATH"], finder.kindAt));
  const code = [...pluginFiles, ...run.flatMap((files) => files.code)].filter((file) => finder.kindAt(file));
  const directories = code
    .map((file) => parentOf(finder.linksOnPath(file).at(-1) as string))
    .filter((directory) => !roots.some(({ real }) => isWithin(real, directory)));
  return [...waysTo([...pluginFiles, ...run.flatMap((files) => files.all)]), ...directories];
}

/** What the kernel shows of itself. */
const KERNEL_PLACES = ["/proc", "/sys", "/dev"];

/** Whether the kernel shows itself there: nothing can be kept in it. */
export const isKernelPlace = (place: string): boolean => KERNEL_PLACES.some((kernel) => isWithin(place, kernel));

const changeGuard = (within: string, reason: string, more: readonly Act[]): Guard => ({
  within,
  acts: [...more, ...CHANGING],
  reason,
});
