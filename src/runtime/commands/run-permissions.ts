import { basename } from "node:path";
import { isFault } from "../../base/errors.ts";
import { childOf, parentOf } from "../../base/paths.ts";
import type { Judgement, JudgedPlace, JudgedProgram } from "../../exec/shell/judgement.ts";
import { joined } from "../../exec/shell/paths.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import { matchesOf } from "./pattern-matches.ts";
import type { ExecRequest, ProgramScope, TreePermissionRequest } from "../rules/permission-request.ts";

/** Says under which conditions a command would run. */
type RunConditions = Pick<ExecRequest, "isContained" | "isElevated" | "security" | "ask">;

interface Requesting extends RunConditions {
  readonly scopeOf: ScopeOf;
  /** Is true where the sandbox hides what the rules close: a program that reads a tree then finds nothing there. */
  readonly isMasked: boolean;
}

/** Returns what an "always" may store about a program of the command. */
export type ScopeOf = (program: JudgedProgram) => ProgramScope | undefined;

/**
 * Requests the permissions for the programs of a command, for the places that they name, and for what is not clear. What
 * a contained command would change is asked about once, when its changes are known.
 */
export async function requestsOf(
  judgement: Judgement,
  { directory }: Pick<RunIntent, "directory">,
  { scopeOf, isMasked, ...common }: Requesting,
  view: View,
): Promise<readonly TreePermissionRequest[]> {
  const outside: string[] = [];
  const changing: string[] = [];
  const places: TreePermissionRequest[] = [];
  for (const judged of judgement.places) {
    const isByCommand = judged.act !== "read";
    if (isByCommand) changing.push(`it changes ${JSON.stringify(judged.path)}`);
    for (const each of await matchedPlaces(judged, directory, view)) {
      const found = await placeRequest(each, directory, isMasked, view);
      if (found) places.push({ ...found, isByCommand, isAskedLater: isByCommand && common.isContained });
      if (found) continue;
      outside.push(`it uses ${JSON.stringify(each.path)}, which is outside the directories`);
    }
  }
  const unclear = unclearRequest(judgement, [...outside, ...changing], common);
  return [
    ...judgement.programs.map((program) => programRequest(program, judgement, { ...common, scope: scopeOf(program) })),
    ...unclear,
    ...places,
  ];
}

/** Replaces a pattern by what it matches, so that only that is decided about; it stays where that is not known. */
async function matchedPlaces(judged: JudgedPlace, directory: string, view: View): Promise<readonly JudgedPlace[]> {
  const { act, path, reach } = judged;
  if (act !== "read" || !isPattern(reach)) return [judged];
  const matches = await matchesOf(directory, path, view);
  return matches?.map((match) => ({ act, path: match, reach: reach === "matches" ? "itself" : "below" })) ?? [judged];
}

const isPattern = (reach: JudgedPlace["reach"]): boolean => reach === "matches" || reach === "below matches";

/** Returns undefined for a path outside the workspace. */
async function placeRequest(
  { act, path, reach }: JudgedPlace,
  directory: string,
  isMasked: boolean,
  view: View,
): Promise<TreePermissionRequest | undefined> {
  try {
    const { place, now } = await view.resolveTarget(joined(directory, path), "follow");
    if (reach === "repository") {
      const repository = await repositoryAround(place, view);
      return { act, place: repository, tree: repository, isCommitted: true };
    }
    const isHidden = isMasked && act === "read";
    return { act, place, tree: reach === "below" && now && !isHidden ? place : undefined, isUnseen: isPattern(reach) };
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

/** Returns the directory with the repository that a place is in; the root of the place where there is none below it. */
async function repositoryAround(place: string, view: View): Promise<string> {
  const isRoot = view.roots.some(({ real }) => real === place);
  if (isRoot || (await view.stat(childOf(place, ".git"), "keep"))) return place;
  return repositoryAround(parentOf(place), view);
}

/** Names a program by its last part, so that a rule about "git push" covers "/usr/bin/git push" as well. */
function programRequest(
  { file, argv, isKnown }: JudgedProgram,
  judgement: Judgement,
  conditions: RunConditions & Pick<ExecRequest, "scope">,
): TreePermissionRequest {
  const [name = "", ...words] = argv;
  const reasons = judgement.kind === "unknown" ? judgement.reasons : [];
  return {
    act: "exec",
    place: file ?? "",
    command: [basename(name), ...words],
    exec: { ...conditions, isKnown, isUnclear: false, reasons },
  };
}

/** Requests what no program stands for: syntax that is not covered, places elsewhere, and changes of files. */
function unclearRequest(
  judgement: Judgement,
  more: readonly string[],
  conditions: RunConditions,
): readonly TreePermissionRequest[] {
  const isStatic = judgement.kind === "known" || judgement.isStatic;
  const reasons = [...(judgement.kind === "unknown" && !isStatic ? judgement.reasons : []), ...more];
  if (reasons.length === 0) return [];
  return [{ act: "exec", place: "", exec: { ...conditions, isKnown: false, isUnclear: true, reasons } }];
}
