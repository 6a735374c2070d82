import { readFileSync } from "node:fs";
import { getAsset, isSea } from "node:sea";
import { isRecord } from "../../base/json.ts";

/** Names the extension of MCP by which a chat shows views of a server. */
export const UI_EXTENSION = "io.modelcontextprotocol/ui";
const VIEW_TYPE = "text/html;profile=mcp-app";

/** Returns true if a client shows views. Only such a client is told of them. */
export function supportsViews(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities["extensions"] : undefined;
  const ui = isRecord(extensions) ? extensions[UI_EXTENSION] : undefined;
  if (!isRecord(ui)) return false;
  const { mimeTypes } = ui;
  return !Array.isArray(mimeTypes) || mimeTypes.includes(VIEW_TYPE);
}

/** Returns what the list of tools says about the view of a tool, for clients that show views. */
export function viewMetaOf(tool: string): { readonly _meta?: Record<string, unknown> } {
  const view = VIEW_OF_TOOL[tool];
  return view === undefined ? {} : { _meta: { ui: { resourceUri: uriOf(view), visibility: ["model", "app"] } } };
}

type ViewName = "change" | "pending";

const uriOf = (view: ViewName): string => `ui://holdfast/${view}.html`;

const VIEW_OF_TOOL: Readonly<Record<string, ViewName>> = {
  write: "change",
  edit: "change",
  apply_patch: "change",
  move: "change",
  copy: "change",
  delete: "change",
  restore: "change",
  undo: "change",
  exec: "pending",
};

/** Returns the resource of a view; undefined for every other address. */
export function viewAt(uri: string) {
  const view = (["change", "pending"] as const).find((each) => uriOf(each) === uri);
  if (view === undefined) return undefined;
  return { uri, mimeType: VIEW_TYPE, text: documentOf(view), _meta: { ui: { csp: {}, prefersBorder: true } } };
}

/** Reads what the build wrote: into a single executable, beside the program, beside the library, or from the sources. */
function documentOf(view: ViewName): string {
  if (isSea()) return getAsset(`views/${view}.html`, "utf8");
  for (const folder of ["../../../views/", "../../views/", "../../../dist/views/"])
    try {
      return readFileSync(new URL(`${folder}${view}.html`, import.meta.url), "utf8");
    } catch {
      // Looks in the next place: where the build is depends on how this program runs.
    }
  throw new Error("The views are not built: run npm run build");
}
