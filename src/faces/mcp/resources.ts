import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { call, type Outcome, textOf } from "../../runtime/call.ts";
import type { Session } from "../../runtime/session.ts";
import { requestOf } from "./request.ts";

/** Makes one call of a tool; what it answers is all that resources know. */
type Ask = (tool: string, input: unknown) => Promise<Outcome>;

/** Files as resources: `ls` lists and completes them, `read` reads them, through the same pipeline as every call. */
export function serveResources(server: Server, session: Session): void {
  const roots = session.workspace.roots.map(({ given }) => given);
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "file", title: "A file inside the roots", uriTemplate: "file:///{+path}" }],
  }));
  server.setRequestHandler("resources/list", ({ params }, context) =>
    list(roots, params?.cursor, (tool, input) => call(session, requestOf(tool, input, context.mcpReq))),
  );
  server.setRequestHandler("resources/read", ({ params }, context) =>
    read(params.uri, (tool, input) => call(session, requestOf(tool, input, context.mcpReq))),
  );
  server.setRequestHandler("completion/complete", async ({ params }, context) => ({
    completion: await complete(roots, params.argument.value, (tool, input) =>
      call(session, requestOf(tool, input, context.mcpReq)),
    ),
  }));
}

interface Listing {
  readonly entries: readonly { readonly name: string; readonly type: string; readonly size?: number }[];
  readonly cursor?: string;
}

/** One root after the other, a page of `ls` at a time. The cursor says which root and where in it. */
async function list(roots: readonly string[], cursor: string | undefined, ask: Ask) {
  const [index = "0", inRoot = ""] = (cursor ?? "").split(":");
  const root = roots[Number(index)] ?? refuse("Cannot use the cursor: copy it unchanged from an earlier answer");
  const page = listingOf(await ask("ls", { path: root, ...(inRoot !== "" && { cursor: inRoot }) }));
  const resources = page.entries
    .filter(({ type }) => type === "file")
    .map(({ name, size }) => ({
      uri: pathToFileURL(join(root, name)).href,
      name,
      ...(size !== undefined && { size }),
    }));
  const isLast = page.cursor === undefined && Number(index) + 1 >= roots.length;
  const next = page.cursor === undefined ? `${Number(index) + 1}:` : `${index}:${page.cursor}`;
  return { resources, ...(!isLast && { nextCursor: next }) };
}

async function read(uri: string, ask: Ask) {
  const outcome = await ask("read", { path: pathOf(uri) });
  const [block] = succeeded(outcome).blocks;
  if (block?.kind === "text") return { contents: [{ uri, mimeType: "text/plain", text: textOf(outcome.blocks) }] };
  return { contents: [{ uri, mimeType: block?.mime ?? "application/octet-stream", blob: block?.data ?? "" }] };
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return refuse(`Cannot read ${JSON.stringify(uri)}: give a file:/// URI of this machine`);
  }
}

const MOST_COMPLETIONS = 100;

/** Names below the directory typed so far; the roots while nothing fits. A template's path has no leading slash. */
async function complete(roots: readonly string[], typed: string, ask: Ask) {
  const absolute = `/${typed}`;
  const directory = absolute.slice(0, absolute.lastIndexOf("/") + 1);
  const listed = await ask("ls", { path: directory });
  const names = listed.isError
    ? roots
    : listingOf(listed).entries.map(({ name, type }) => `${directory}${name}${type === "directory" ? "/" : ""}`);
  const values = names.filter((name) => name.startsWith(absolute)).map((name) => name.slice(1));
  return { values: values.slice(0, MOST_COMPLETIONS), total: values.length, hasMore: values.length > MOST_COMPLETIONS };
}

const listingOf = (outcome: Outcome): Listing => succeeded(outcome).data as unknown as Listing;

function succeeded(outcome: Outcome): Outcome {
  return outcome.isError ? refuse(textOf(outcome.blocks)) : outcome;
}

function refuse(message: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
