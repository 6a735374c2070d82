import { fileURLToPath } from "node:url";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type Root,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import type { ServedApp } from "./served-app.ts";

/** Returns the surface for a call, or the question for the client's roots that has to be answered first. */
export type Serve = (context: ServerContext) => Promise<ServedCall>;
type ServedCall = { readonly surface: Surface } | { readonly question: InputRequiredResult };

/**
 * Asks a client for its roots. Before the 2026 revision, it is asked by its first call, and by the first after it
 * reports a change: over HTTP, only a call has a stream that a question can take. Since then the protocol has no state
 * between calls, so every call brings the roots along.
 */
export function createServe(server: Server, servedApp: ServedApp, warn: (message: string) => void): Serve {
  const { surface, surfaceFor } = servedApp;
  if (!surfaceFor) return async () => ({ surface });
  let current: Promise<Surface> | undefined;
  const ask = async (relatedRequestId: string | number): Promise<Surface> => {
    if (!server.getClientCapabilities()?.roots) return surface;
    try {
      const { roots } = await server.listRoots(undefined, { timeout: LIMITS.clientRootsMs, relatedRequestId });
      return await surfaceFor(directoriesOf(roots, warn));
    } catch (error) {
      warn(`Cannot list the roots of the client: ${String(error)}`);
      return surface;
    }
  };
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    current = undefined;
  });
  return async (context) => {
    const { envelope, inputResponses, id } = context.mcpReq;
    if (envelope === undefined) return { surface: await (current ??= ask(id)) };
    const capabilities = (envelope as Readonly<Record<string, unknown>>)[CLIENT_CAPABILITIES_META_KEY];
    if (!(capabilities as ClientCapabilities | undefined)?.roots) return { surface };
    const answer = inputResponse(inputResponses, "roots");
    if (answer.kind === "roots") return { surface: await surfaceFor(directoriesOf(answer.roots, warn)) };
    return { question: inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) };
  };
}

/** Converts roots to paths. Roots that are not `file:` URIs of this machine are skipped with a warning. */
function directoriesOf(roots: readonly Root[], warn: (message: string) => void): readonly string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      warn(`Skipped the root ${JSON.stringify(uri)} of the client: it is not a file:/// URI of this machine`);
      return [];
    }
  });
}
