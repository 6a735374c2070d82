import { type Authenticate } from "./access.ts";
import { checkNames, type ServerNames } from "./host-check.ts";
import { createRateLimit } from "./rate-limit.ts";
import { refusal, textResponse } from "./responses.ts";
import { type Route, routeFor } from "./routes.ts";

/** Answers one request. Needs no socket. */
export type Fetch = (request: Request) => Promise<Response>;

/** Holds what the function is composed of. */
export interface FaceParts {
  readonly names: ServerNames;
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  /** Receives refused requests and errors. */
  readonly log: RequestLog;
}

/** Receives what happens to requests. It never gets a token, a cookie or the query of an address. */
export type RequestLog = (event: {
  readonly event: "refused" | "failed";
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly error?: string;
  /** Counts events like this one that were left out before it. */
  readonly omitted?: number;
}) => void;

/** Composes the server: names first, then the route, who it is, how often, and only then the work. */
export function createFetch({ names, routes, authenticate, log }: FaceParts): Fetch {
  const mayPass = createRateLimit();
  async function serve(request: Request, path: string): Promise<Response> {
    const misnamed = checkNames(request, names);
    if (misnamed) return misnamed;
    const route = routeFor(routes, path);
    if (!route) return textResponse(404, "There is nothing here");
    const caller = await authenticate(request, route.access);
    if (caller instanceof Response) return caller;
    const who = caller.kind === "agent" ? `account ${caller.account}` : caller.kind;
    if (!mayPass(who)) return refusal(429, "Cannot serve so many requests: wait a second", { "Retry-After": "1" });
    return route.handle(request, caller);
  }
  return async function fetch(request) {
    const { method } = request;
    const { pathname: path } = new URL(request.url);
    try {
      const response = await serve(request, path);
      if (REFUSED.includes(response.status)) log({ event: "refused", method, path, status: response.status });
      return response;
    } catch (error) {
      // A bug of one route must not end the server for all clients. The text may hold paths, so nobody else gets it.
      log({ event: "failed", method, path, status: 500, error: String(error) });
      return refusal(500, "Cannot serve this: something in the server failed; its log says what");
    }
  };
}

const REFUSED = [401, 403, 413, 429, 503];
