import type { EffectfulIntent } from "./effectful-intent.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { pathBelow } from "../../workspace/changes/streamed-entries.ts";
import type { TreePermissionRequest } from "../rules/permission-request.ts";
import type { NamedTool } from "../tools/match-tool.ts";

/** Returns the permissions that an intent of this tool needs, in a session with these roots. */
export function permissionRequestsOf(
  intent: EffectfulIntent,
  tool: NamedTool,
  roots: readonly string[],
): readonly TreePermissionRequest[] {
  if (intent.kind === "change") {
    const requests = intent.changes.flatMap((each) => {
      const isBroughtBack = intent.undoes !== undefined && each.kind === "restore" && each.replaces === null;
      return isBroughtBack
        ? requestsOfChange(each).map((request) => ({ ...request, isBroughtBack }))
        : requestsOfChange(each);
    });
    const isByCommand = intent.command !== undefined || intent.undoesCommands === true;
    return isByCommand ? requests.map((request) => ({ ...request, isByCommand })) : requests;
  }
  if (intent.kind === "command") return intent.requests;
  if (intent.kind === "outward") return intent.acts.map((act) => ({ act, place: "", tool, roots }));
  return intent.does === "begin" ? [{ act: "read", place: intent.filter.scope.target }] : [];
}

/** Requests a read for whatever is moved or copied, so that no relocation bypasses the rules for reading. */
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
    case "unpack":
      return [{ act: change.replaces === null ? "create" : "write", place, ...unpackedContent(change) }];
    case "adopt":
      return [{ act: change.replaces === null ? "create" : "write", place, ...adoptedContent(change) }];
  }
}

/** A move counts as a read as well where the content could be read more freely at its new place. */
const moveRequests = (place: string, carriedTo: string, tree?: string): readonly TreePermissionRequest[] => [
  { act: "move", place, tree },
  { act: "read", place, tree, carriedTo },
];

type RelocationChange = Extract<Change, { readonly to: string }>;

/** A file has no tree. The commit moves or copies only the very file that was seen, so it cannot have become one. */
const treeOf = ({ path, isFile }: RelocationChange): string | undefined => (isFile ? undefined : path);

const destinationRequest = (change: RelocationChange): TreePermissionRequest => ({
  act: change.replaces === null ? "create" : "write",
  place: change.to,
  tree: treeOf(change),
});

/** A restore to the original place has no `origin` and needs no read: that content was there before. */
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

type AdoptChange = Extract<Change, { readonly kind: "adopt" }>;

/** A file has a size; a tree is looked into where it is now, in the store. */
const adoptedContent = (change: AdoptChange): Partial<TreePermissionRequest> => {
  const { object, counted, size, names, hasGitControl } = change;
  return counted ? { stored: object, names, hasGitControl } : { size };
};

/** A file has a size; the entries of a tree are known before it is made. */
function unpackedContent({
  entry,
  entries,
}: Extract<Change, { readonly kind: "unpack" }>): Partial<TreePermissionRequest> {
  const [top, ...below] = entries;
  if (top?.kind === "file") return { size: top.size };
  const streamed = below.map(({ path, size }) => ({ path: pathBelow(entry, path), size }));
  return { streamed };
}

function sizeOf(content: Extract<Change, { readonly kind: "write" }>["content"]): number | undefined {
  if (typeof content === "string") return undefined;
  return "byteLength" in content ? content.byteLength : content.size;
}
