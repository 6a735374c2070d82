import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import type { Outcome } from "../../runtime/pipeline/outcome.ts";
import { ruleScopeOf } from "../../runtime/rules/rule-scope.ts";
import { ENVIRONMENTS } from "../../runtime/secrets/sensitive-globs.ts";
import type { Files } from "../../runtime/pipeline/surface.ts";
import { visible } from "../../text/quote.ts";
import { textOf } from "../../tools/tool.ts";
import { viewAt } from "./apps.ts";
import { requestOf } from "./request.ts";

/** Calls a tool. Resources and prompts know nothing but its answers. */
export type Ask = (tool: string, input: unknown) => Promise<Outcome>;

/**
 * Serves files as resources: `ls` lists and completes them, `read` reads them, through the same pipeline as all calls.
 */
export function serveResources(server: Server, { roots, call }: Files): void {
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "file", title: "A file inside the roots", uriTemplate: "file:///{+path}" }],
  }));
  const asking =
    ({ mcpReq }: ServerContext): Ask =>
    (tool, input) =>
      call(requestOf(tool, input, mcpReq));
  server.setRequestHandler("resources/list", ({ params }, context) => list(roots, params?.cursor, asking(context)));
  server.setRequestHandler("resources/read", async ({ params }, context) => {
    const view = viewAt(params.uri);
    return view ? { contents: [view] } : read(params.uri, asking(context));
  });
  server.setRequestHandler("completion/complete", async ({ params }, context) => ({
    completion:
      params.ref.type === "ref/prompt" ? NO_VALUES : await complete(roots, params.argument.value, asking(context)),
  }));
}

/** Suggests nothing for arguments of prompts. */
const NO_VALUES = { values: [], total: 0, hasMore: false };

interface Listing {
  readonly entries: readonly { readonly name: string; readonly type: string; readonly size?: number }[];
  readonly cursor?: string;
}

/**
 * Lists one root after the other, one page of `ls` at a time. The cursor holds the root's index and the cursor in it.
 */
async function list(roots: readonly string[], cursor: string | undefined, ask: Ask) {
  const [index = "0", inRoot = ""] = (cursor ?? "").split(":");
  const root =
    roots[Number(index)] ?? throwProtocolError("Cannot use the cursor: copy it unchanged from an earlier answer");
  const page = listingOf(await ask("ls", { path: root, ...(inRoot !== "" && { cursor: inRoot }) }));
  // Clients cannot derive a type from names that begin with a dot, and leave out resources without one.
  const settings = ruleScopeOf(ENVIRONMENTS, [root]);
  const resources = page.entries
    .filter(({ type }) => type === "file")
    .map(({ name, size }) => ({
      uri: pathToFileURL(join(root, name)).href,
      name,
      ...(settings.matches(join(root, name)) && { mimeType: TEXT }),
      ...(size !== undefined && { size }),
    }));
  const isLast = page.cursor === undefined && Number(index) + 1 >= roots.length;
  const next = page.cursor === undefined ? `${Number(index) + 1}:` : `${index}:${page.cursor}`;
  return { resources, ...(!isLast && { nextCursor: next }) };
}

/** Returns the whole file: as text if it is text, otherwise as bytes. */
async function read(uri: string, ask: Ask) {
  const whole = { path: pathOf(uri), as: "source", limit: LIMITS.offsetMost, max_bytes: LIMITS.pageBytesMost };
  const asText = await ask("read", whole);
  const outcome =
    asText.code === "not_text" ? await ask("read", { ...whole, unit: "bytes", encoding: "base64" }) : asText;
  const { blocks, data } = requireSuccess(outcome, uri);
  if (data["truncated"])
    throwProtocolError(
      `Cannot read ${JSON.stringify(uri)} whole: it is too large; use the read tool, page by page`,
      uri,
    );
  const [block] = blocks;
  if (block && block.kind !== "text") return { contents: [{ uri, mimeType: block.mime, blob: block.data }] };
  const content = String(data["content"]);
  if (data["encoding"] === "base64")
    return { contents: [{ uri, mimeType: "application/octet-stream", blob: content }] };
  return { contents: [{ uri, mimeType: TEXT, text: content }] };
}

const TEXT = "text/plain";

/** Converts a `file:` URI to a path. */
export function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return throwProtocolError(`Cannot use ${JSON.stringify(uri)}: give a file:/// URI of this machine`, uri);
  }
}

/**
 * Completes names in the directory typed so far, or the roots if that cannot be listed. A template's path has no
 * leading slash.
 */
async function complete(roots: readonly string[], typed: string, ask: Ask) {
  const absolute = `/${typed}`;
  const directory = absolute.slice(0, absolute.lastIndexOf("/") + 1);
  const listed = await ask("ls", { path: directory, limit: LIMITS.listEntriesMost });
  const names = listed.isError
    ? roots
    : listingOf(listed).entries.map(({ name, type }) => `${directory}${name}${type === "directory" ? "/" : ""}`);
  const values = names.filter((name) => name.startsWith(absolute)).map((name) => name.slice(1));
  return {
    values: values.slice(0, LIMITS.completions),
    total: values.length,
    hasMore: values.length > LIMITS.completions,
  };
}

const listingOf = (outcome: Outcome): Listing => requireSuccess(outcome).data as unknown as Listing;

/** Returns a successful outcome. Throws a protocol error for a failed one. */
export function requireSuccess(outcome: Outcome, uri?: string): Outcome {
  return outcome.isError ? throwProtocolError(textOf(outcome.blocks), uri) : outcome;
}

/** Rejects a request whose parameters cannot be used. Names the resource that it is about, which clients look for. */
export function throwProtocolError(message: string, uri?: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, visible(message), uri === undefined ? undefined : { uri });
}
