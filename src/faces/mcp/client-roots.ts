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

/** What a call is served with: a surface, or first the question which directories the client offers. */
export type Serve = (context: ServerContext) => Promise<ServedCall>;
type ServedCall = { readonly surface: Surface } | { readonly question: InputRequiredResult };

/**
 * Asks a client which directories it offers. Before 2026 once after the handshake and whenever it says that they
 * changed; since then every call brings them along, because nothing is remembered between calls.
 */
export function createServe(server: Server, servedApp: ServedApp, warn: (message: string) => void): Serve {
  const { surface, surfaceFor } = servedApp;
  if (!surfaceFor) return async () => ({ surface });
  let current: Promise<Surface> = Promise.resolve(surface);
  const ask = async (): Promise<Surface> => {
    try {
      const { roots } = await server.listRoots(undefined, { timeout: LIMITS.clientRootsMs });
      return await surfaceFor(directoriesOf(roots, warn));
    } catch (error) {
      warn(`Cannot learn the roots of the client: ${String(error)}`);
      return surface;
    }
  };
  const refresh = (): void => {
    if (server.getClientCapabilities()?.roots) current = ask();
  };
  server.oninitialized = refresh;
  server.setNotificationHandler("notifications/roots/list_changed", refresh);
  return async (context) => {
    const { envelope, inputResponses } = context.mcpReq;
    if (envelope === undefined) return { surface: await current };
    const capabilities = (envelope as Readonly<Record<string, unknown>>)[CLIENT_CAPABILITIES_META_KEY];
    if (!(capabilities as ClientCapabilities | undefined)?.roots) return { surface };
    const answer = inputResponse(inputResponses, "roots");
    if (answer.kind === "roots") return { surface: await surfaceFor(directoriesOf(answer.roots, warn)) };
    return { question: inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) };
  };
}

/** What is no directory of this machine is passed over, and told. */
function directoriesOf(roots: readonly Root[], warn: (message: string) => void): readonly string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      warn(`Skipped the root ${JSON.stringify(uri)} of the client: it is no file:/// URI of this machine`);
      return [];
    }
  });
}
