import { basename, resolve } from "node:path";
import { isFault } from "../../base/errors.ts";
import type { Judgement, JudgedPlace, JudgedProgram } from "../../exec/shell/judgement.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import type { ExecRequest, ProgramScope, TreePermissionRequest } from "../rules/permission-request.ts";

/** Says under which conditions a command would run. */
export interface RunConditions extends Pick<ExecRequest, "isContained" | "isElevated" | "security" | "ask"> {}

/** Returns what an "always" may store about a program of the command. */
export type ScopeOf = (program: JudgedProgram) => ProgramScope | undefined;

/** Requests the permissions for the programs of a command, for the places that they name, and for what is not clear. */
export async function requestsOf(
  judgement: Judgement,
  { directory }: Pick<RunIntent, "directory">,
  conditions: RunConditions & { readonly scopeOf: ScopeOf },
  view: View,
): Promise<readonly TreePermissionRequest[]> {
  const { scopeOf, ...common } = conditions;
  const outside: string[] = [];
  const changing: string[] = [];
  const places: TreePermissionRequest[] = [];
  for (const judged of judgement.places) {
    if (judged.act !== "read") changing.push(`it changes ${JSON.stringify(judged.path)}`);
    const found = await placeRequest(judged, directory, view);
    if (found) places.push(found);
    else outside.push(`it uses ${JSON.stringify(judged.path)}, which is outside the directories`);
  }
  const unclear = unclearRequest(judgement, [...outside, ...changing], common);
  return [
    ...judgement.programs.map((program) => programRequest(program, judgement, { ...common, scope: scopeOf(program) })),
    ...unclear,
    ...places,
  ];
}

/** Returns undefined for a path outside the workspace. */
async function placeRequest(
  { act, path, reach }: JudgedPlace,
  directory: string,
  view: View,
): Promise<TreePermissionRequest | undefined> {
  try {
    const { place } = await view.resolveTarget(resolve(directory, path), "follow");
    return { act, place, tree: reach === "below" ? place : undefined, isUnseen: reach === "matches" };
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
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
