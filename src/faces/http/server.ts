import type { OAuthConfig } from "../../config/server.ts";
import type { Tokens } from "../../runtime/server/tokens.ts";
import type { Person } from "../console/api/endpoint.ts";
import { createAuthenticate } from "./access.ts";
import type { Account } from "./accounts.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { createConsole } from "./console.ts";
import { createFetch, type Fetch, type RequestLog } from "./face.ts";
import { healthRoute } from "./health.ts";
import type { ServerNames } from "./host-check.ts";
import { limitedLog } from "./limited-log.ts";
import { createLogins } from "./login.ts";
import { MCP_PATH } from "./paths.ts";
import { createAccountMcp } from "./mcp-account.ts";
import { createMcpRoute } from "./mcp-route.ts";
import { createMetricsRoute } from "./metrics.ts";
import { createOAuth } from "./oauth.ts";
import type { Route } from "./routes.ts";

/** Holds what the operator decides about the server. */
export interface HttpOptions {
  /** Lists the accounts; the first is the user's own. */
  readonly accounts: readonly [Account, ...Account[]];
  readonly tokens: Tokens;
  readonly oauth?: OAuthConfig | undefined;
  readonly names: ServerNames;
  /** The address by which clients reach the server, without a path. */
  readonly publicUrl: string;
  /** Opens what a person sees and may do: everything of the user, with a click as approval. */
  readonly person: Omit<Person, "options">;
  /** Signs the links that log people in. */
  readonly operatorKey: string;
  readonly log: RequestLog;
  readonly warn: (message: string) => void;
}

/** The server without its port. */
export interface HttpServer {
  readonly fetch: Fetch;
  /** Resolves once every call that runs is answered. New ones are refused. */
  drain(): Promise<void>;
  /** Ends all sessions and closes the apps. */
  close(): Promise<void>;
}

/** Composes the server: the only file of this folder that knows all parts. */
export function createHttpServer(options: HttpOptions): HttpServer {
  const { accounts, tokens, names, publicUrl, person, operatorKey, log, warn } = options;
  const [own] = accounts;
  const logins = createLogins(operatorKey, publicUrl.startsWith("https:"));
  const oauth = options.oauth && createOAuth(options.oauth, new URL(MCP_PATH, publicUrl));
  const calls = createCallMetrics();
  const mcp = createMcpRoute(new Map(accounts.map((each) => [each.name, createAccountMcp(each, calls, warn)])));
  const console = createConsole({ ...person, options: own.options });
  const routes: readonly Route[] = [
    mcp.route,
    healthRoute,
    createMetricsRoute({ own, calls, sessions: mcp.sessions }),
    logins.route,
    ...(oauth?.routes ?? []),
    ...console.routes,
  ];
  return {
    fetch: createFetch({
      names,
      routes,
      authenticate: createAuthenticate({
        accounts: accounts.map(({ name }) => name),
        tokens,
        logins,
        oauth,
        warn,
      }),
      log: limitedLog(log),
    }),
    drain: mcp.drain,
    async close() {
      console.close();
      await mcp.close();
      await Promise.all(accounts.map(({ app }) => app.close()));
    },
  };
}
