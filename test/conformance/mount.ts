import { createAuthenticate } from "../../src/faces/http/access.ts";
import { createFetch, type Fetch } from "../../src/faces/http/face.ts";
import { LOOPBACK_HOSTS } from "../../src/faces/http/host-check.ts";
import { listen } from "../../src/faces/http/listener.ts";
import { createLogins } from "../../src/faces/http/login.ts";
import { createMcpEras } from "../../src/faces/http/mcp-eras.ts";
import { createMcpRoute } from "../../src/faces/http/mcp-route.ts";
import { MCP_PATH } from "../../src/faces/http/paths.ts";
import type { AtEnd } from "../runtime/scratch.ts";
import { createFixtureServer } from "./fixtures/server.ts";

const TOKEN = "fixtures";

/** Serves the fixtures with the parts that serve `holdfast up`. Returns the address of MCP. */
export async function mountFixtures(atEnd: AtEnd): Promise<string> {
  const announceTools = (): void => mcp.announceTools();
  const mcp = createMcpEras(
    () => ({
      createSessionServer: () => createFixtureServer(announceTools).server,
      createRequestServer: () => createFixtureServer(announceTools),
      setAway: () => {},
      end: () => {},
    }),
    undefined,
  );
  const { route, close } = createMcpRoute(new Map([["fixtures", mcp]]));
  const fetch = createFetch({
    names: { hosts: LOOPBACK_HOSTS, scheme: "http" },
    routes: [route],
    authenticate: createAuthenticate({
      accounts: ["fixtures"],
      tokens: { ownerOf: (token) => (token === TOKEN ? "fixtures" : undefined) },
      logins: createLogins(TOKEN, false),
      warn: () => {},
    }),
    log: () => {},
  });
  atEnd(close);
  return listenWithToken(fetch, TOKEN, atEnd);
}

/** Listens for clients that have no token: each request is given one. Returns the address of MCP. */
export async function listenWithToken(fetch: Fetch, token: string, atEnd: AtEnd): Promise<string> {
  const fetchWithToken: Fetch = (request) => {
    request.headers.set("authorization", `Bearer ${token}`);
    return fetch(request);
  };
  const { port, close } = await listen(fetchWithToken, { host: "127.0.0.1", port: 0 });
  atEnd(close);
  return `http://127.0.0.1:${port}${MCP_PATH}`;
}
