import { isStricter, type Verdict } from "../../base/verdicts.ts";
import type { EffectfulIntent } from "../../tools/tool.ts";
import type { Change } from "../../workspace/changes/change.ts";
import type { Decision, Rules } from "../rules/rules.ts";
import type { PermissionRequest } from "../rules/compile-rule.ts";
import type { NamedTool } from "../tools/names.ts";

/** A want that may be about everything in a directory as well. */
export interface TreePermissionRequest extends PermissionRequest {
  /** Where what is in it lies now; the want may be about where it will be. */
  readonly tree?: string | undefined;
  /** What is in it cannot be looked at: the strictest that might be due in it is. */
  readonly isUnseen?: boolean | undefined;
  /** Wanted only where that which is taken there could then be read more freely. */
  readonly carriedTo?: string | undefined;
}

/** What is decided about a want, leaving aside what may be in it. */
export function decideOne(rules: Rules, want: TreePermissionRequest): Decision {
  const decision = rules.decide(want);
  if (want.carriedTo === undefined) return decision;
  const there = rules.decide({ ...want, place: want.carriedTo });
  return isStricter(decision.verdict, there.verdict) ? decision : ALLOWED;
}

const ALLOWED: Decision = { verdict: "autonomous", reasons: [] };

/** The strictest that might be decided about something in a tree. */
export function strictestWithin(rules: Rules, { act, place, carriedTo }: TreePermissionRequest): Verdict {
  if (carriedTo !== undefined && !rules.dependsOnLocation(place)) return "autonomous";
  return rules.strictestBelow(act, place);
}

/** What doing this would need, wanted by this tool. */
export function permissionRequestsOf(deed: EffectfulIntent, tool: NamedTool): readonly TreePermissionRequest[] {
  if (deed.kind === "change") return deed.changes.flatMap(requestsOfChange);
  if (deed.kind === "outward") return deed.acts.map((act) => ({ act, place: "", tool }));
  return deed.does === "begin" ? [{ act: "read", place: deed.filter.scope.target }] : [];
}

/** What is taken elsewhere must not get around the rules for reading by that. */
function requestsOfChange(change: Change): readonly TreePermissionRequest[] {
  const { path: place } = change;
  switch (change.kind) {
    case "write":
      return [
        { act: change.expect === null ? "create" : "write", place, size: sizeOf(change.content) },
        ...(change.movedFrom === undefined ? [] : moveRequests(change.movedFrom, place)),
      ];
    case "append":
      return [{ act: "write", place, size: change.bytes.length }];
    case "chmod":
      return [{ act: "write", place }];
    case "mkdir":
      return [{ act: "create", place }];
    case "remove":
      return [{ act: change.into === "nowhere" ? "erase" : "delete", place, tree: place }];
    case "move":
      return [...moveRequests(place, change.to, treeOf(change)), destinationRequest(change)];
    case "copy":
      return [{ act: "read", place, tree: treeOf(change) }, destinationRequest(change)];
    case "restore":
      return restoreRequests(change);
  }
}

/** What is moved leaves its place, and counts as read where it could then be read more freely. */
const moveRequests = (place: string, carriedTo: string, tree?: string): readonly TreePermissionRequest[] => [
  { act: "move", place, tree },
  { act: "read", place, tree, carriedTo },
];

type RelocationChange = Extract<Change, { readonly to: string }>;

/** In a file there is nothing to look into, and it is the file that was seen: nothing else is moved or copied. */
const treeOf = ({ path, isFile }: RelocationChange): string | undefined => (isFile ? undefined : path);

const destinationRequest = (change: RelocationChange): TreePermissionRequest => ({
  act: change.replaces === null ? "create" : "write",
  place: change.to,
  tree: treeOf(change),
});

/** What comes back to its own place was there before, with all that is in it. */
function restoreRequests({
  path: place,
  replaces,
  origin,
}: Extract<Change, { readonly kind: "restore" }>): readonly TreePermissionRequest[] {
  const act = replaces === null ? "create" : "write";
  if (!origin) return [{ act, place }];
  const isUnseen = origin.hasBelow;
  return [
    { act, place, isUnseen },
    { act: "read", place: origin.path, isUnseen, carriedTo: place },
  ];
}

function sizeOf(content: Extract<Change, { readonly kind: "write" }>["content"]): number | undefined {
  if (typeof content === "string") return undefined;
  return "byteLength" in content ? content.byteLength : content.size;
}
