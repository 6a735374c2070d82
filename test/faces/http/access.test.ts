import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createApp } from "../../../src/app/app.ts";
import { scratch, stateBeside } from "../../runtime/scratch.ts";
import { createLoginPath } from "../../../src/faces/http/login-code.ts";
import { bearer, INITIALIZE, messageOf, OPERATOR_KEY, ORIGIN, post, request, served } from "./served.ts";

describe("a client with the token", () => {
  it("opens a session", async () => {
    const { fetch, token } = await served(scratch());
    const response = await fetch(post(INITIALIZE, bearer(token)));
    expect(response.status).toBe(200);
    expect(response.headers.get("mcp-session-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await messageOf(response)).toMatchObject({ id: 1, result: { protocolVersion: "2025-11-25" } });
  });

  it("gets it from a file that only the user can read", async () => {
    const root = scratch();
    await served(root);
    expect(statSync(join(stateBeside(root), "tokens/default")).mode & 0o777).toBe(0o600);
  });

  it("is refused with the old token as soon as it is rotated, and served with the new one", async () => {
    const { fetch, token, tokens } = await served(scratch());
    const fresh = await tokens.rotate("default");
    const status = async (given: string) => (await fetch(post(INITIALIZE, bearer(given)))).status;
    expect([await status(token), await status(fresh)]).toEqual([401, 200]);
  });
});

describe("refused requests", () => {
  const DEEP = "[".repeat(LIMITS.messageDepth + 1) + "]".repeat(LIMITS.messageDepth + 1);
  it.each([
    { name: "no token", headers: {}, gives: 401 },
    { name: "a wrong token", headers: bearer("holdfast_wrong"), gives: 401 },
    { name: "the key of the operator", headers: bearer(OPERATOR_KEY), gives: 401 },
    { name: "another scheme", headers: { authorization: "Basic Zm9vOmJhcg==" }, gives: 401 },
    { name: "an unknown host (DNS rebinding)", token: true, headers: { host: "evil.example:4747" }, gives: 403 },
    { name: "a host with a user name", token: true, headers: { host: "evil@127.0.0.1" }, gives: 403 },
    { name: "a page of another site", token: true, headers: { origin: "http://evil.example" }, gives: 403 },
    { name: "a page of another port", token: true, headers: { origin: "http://127.0.0.1:3000" }, gives: 403 },
    { name: "a page without an origin", token: true, headers: { origin: "null" }, gives: 403 },
    { name: "a page of ours", token: true, headers: { origin: "http://127.0.0.1:4747" }, gives: 200 },
    { name: "text", token: true, headers: { "content-type": "text/plain" }, gives: 415 },
    { name: "no JSON", token: true, body: "{", gives: 400 },
    { name: "an empty body", token: true, body: "", gives: 400 },
    { name: "no message", token: true, body: '{"hello":1}', gives: 400 },
    { name: "a body that is nested too deep", token: true, body: DEEP, gives: 400 },
    { name: "a body that is too long", token: true, body: " ".repeat(LIMITS.messageBytes + 1), gives: 413 },
    { name: "an unknown session", token: true, headers: { "mcp-session-id": "none" }, gives: 404 },
  ])("$name: $gives", async ({ token: hasToken = false, headers = {}, body = INITIALIZE, gives }) => {
    const { fetch, token } = await served(scratch());
    const response = await fetch(post(body, { ...(hasToken && bearer(token)), ...headers }));
    const challenge = response.headers.get("www-authenticate");
    expect([response.status, challenge?.split(" ")[0]]).toEqual([gives, gives === 401 ? "Bearer" : undefined]);
  });

  it("are logged without tokens and queries", async () => {
    const { fetch, logged } = await served(scratch());
    await fetch(post(INITIALIZE, bearer("holdfast_secret")));
    await fetch(request("/login?code=secret"));
    expect(logged).toEqual([
      { event: "refused", method: "POST", path: "/mcp", status: 401 },
      { event: "refused", method: "GET", path: "/login", status: 401 },
    ]);
  });
});

async function twoAccounts() {
  const [own, other] = [scratch({ "own.txt": "own\n" }), scratch({ "other.txt": "other\n" })];
  const options = { roots: [other], stateDirectory: stateBeside(own), agentContext: { agent: "alice" } };
  const app = createApp({ roots: [own], stateDirectory: stateBeside(own) });
  const accounts = [
    { name: "default", app, options: { roots: [own] } },
    { name: "alice", app: createApp(options), options },
  ] as const;
  const server = await served(own, { accounts });
  return { ...server, alice: await server.tokens.of("alice") };
}

describe("accounts", () => {
  it("have directories of their own", async () => {
    const { fetch, token, alice } = await twoAccounts();
    const read = async (given: string, path: string) => {
      const opened = await fetch(post(INITIALIZE, bearer(given)));
      await opened.text();
      const headers = { ...bearer(given), "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
      const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "read", arguments: { path } } };
      const { result } = (await messageOf(await fetch(post(call, headers)))) as { result: { isError?: boolean } };
      return result.isError ?? false;
    };
    expect([await read(token, "own.txt"), await read(alice, "other.txt")]).toEqual([false, false]);
    expect([await read(token, "other.txt"), await read(alice, "own.txt")]).toEqual([true, true]);
  });

  it("cannot use a session of another (session theft)", async () => {
    const { fetch, token, alice } = await twoAccounts();
    const opened = await fetch(post(INITIALIZE, bearer(token)));
    await opened.text();
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const list = post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, { ...bearer(alice), ...session });
    const events = request("/mcp", { headers: { ...bearer(alice), ...session, accept: "text/event-stream" } });
    const end = request("/mcp", { method: "DELETE", headers: { ...bearer(alice), ...session } });
    for (const stolen of [list, events, end]) expect((await fetch(stolen)).status).toBe(404);
    const own = post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, { ...bearer(token), ...session });
    expect((await fetch(own)).status).toBe(200);
  });

  it("cannot take all connections with open streams", async () => {
    const { fetch, token, alice } = await twoAccounts();
    const open = (name: string, own: string) => fetch(post(listenAs(name), { ...bearer(own), ...MODERN }));
    const streams = await Promise.all(Array.from({ length: LIMITS.httpAtOnce }, (_, nth) => open(`c${nth}`, token)));
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    const refused = await open("one more", token);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    const other = await open("other", alice);
    expect(other.status).toBe(200);
    await streams[0]?.body?.cancel();
    const again = await open("again", token);
    expect(again.status).toBe(200);
    for (const { body } of [...streams.slice(1), other, again]) await body?.cancel();
  });

  it("see no metrics but the user's own", async () => {
    const { fetch, token, alice } = await twoAccounts();
    const status = async (headers: Record<string, string>) => (await fetch(request("/metrics", { headers }))).status;
    const wanted = [bearer(token), bearer(OPERATOR_KEY), bearer(alice), {}];
    expect(await Promise.all(wanted.map(status))).toEqual([200, 401, 401, 401]);
  });
});

const MODERN = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };

const listenAs = (name: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "subscriptions/listen",
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name, version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

describe("people", () => {
  it("log in with a link that works once, and are known by their cookie", async () => {
    const { fetch } = await served(scratch());
    const path = createLoginPath(OPERATOR_KEY);
    const first = await fetch(request(path));
    expect([first.status, first.headers.get("location")]).toEqual([303, expect.stringMatching(/^\/console#key=/)]);
    expect(first.headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect((await fetch(request(path))).status).toBe(401);
    const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const key = first.headers.get("location")?.split("=")[1] ?? "";
    const status = async (method: string, headers: Record<string, string>) =>
      (await fetch(request("/api/nothing", { method, headers }))).status;
    expect(await status("GET", {})).toBe(401);
    expect(await status("GET", { cookie: "holdfast=wrong" })).toBe(401);
    expect(await status("GET", { cookie: `other=1; ${cookie}` })).toBe(404);
    // A page on another port of this machine can set a cookie of the same name: it must not lock the person out.
    expect(await status("GET", { cookie: `holdfast=wrong; ${cookie}` })).toBe(404);
    expect(await status("GET", { cookie, "sec-fetch-site": "same-origin" })).toBe(404);
    expect(await status("GET", { cookie, "sec-fetch-site": "same-site" })).toBe(401);
    expect(await status("POST", { cookie })).toBe(401);
    expect(await status("POST", { cookie, "x-holdfast-key": "wrong" })).toBe(401);
    expect(await status("POST", { cookie, "x-holdfast-key": key })).toBe(404);
  });

  it.each([
    { name: "signed by the operator", path: () => createLoginPath(OPERATOR_KEY), gives: 303 },
    { name: "signed by another key", path: () => createLoginPath("another key"), gives: 401 },
    { name: "signed by the token of an agent", path: (token: string) => createLoginPath(token), gives: 401 },
    { name: "expired", path: () => createLoginPath(OPERATOR_KEY, Date.now() - LIMITS.loginCodeMs), gives: 401 },
    {
      name: "with a later end than was signed",
      path: () => createLoginPath(OPERATOR_KEY).replace("code=", "code=9"),
      gives: 401,
    },
    { name: "without a signature", path: () => createLoginPath(OPERATOR_KEY).replace(/\.[^.]*$/, ""), gives: 401 },
    { name: "without a code", path: () => "/login", gives: 401 },
  ])("open a link $name: $gives", async ({ path, gives }) => {
    const { fetch, token } = await served(scratch());
    expect((await fetch(request(path(token)))).status).toBe(gives);
  });
});

describe("access tokens of an authorization server", () => {
  const ISSUER = "https://login.example.org";

  async function withIssuer() {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
    const failing: true[] = [];
    const issuer = createServer((_, response) => {
      response.statusCode = failing.length > 0 ? 500 : 200;
      response.end(JSON.stringify(keys));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void issuer.close());
    await once(issuer, "listening");
    const jwks = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`;
    const oauth = { issuer: ISSUER, jwks, scopes: { "files:write": "default" } };
    const server = await served(scratch(), { oauth });
    const sign = (claims: object, more: { issuer?: string; audience?: string; expires?: string } = {}) =>
      new SignJWT({ sub: "alice", scope: "openid files:write", ...claims })
        .setProtectedHeader({ alg: "ES256", kid: "one" })
        .setIssuer(more.issuer ?? ISSUER)
        .setAudience(more.audience ?? `${ORIGIN}/mcp`)
        .setExpirationTime(more.expires ?? "5m")
        .sign(privateKey);
    return { ...server, sign, failing };
  }

  it.each([
    { name: "a good one", claims: {}, gives: 200 },
    { name: "another audience", more: { audience: "https://else.example" }, gives: 401 },
    { name: "another issuer", more: { issuer: "https://evil.example" }, gives: 401 },
    { name: "an expired one", more: { expires: "-1m" }, gives: 401 },
    { name: "no scope of ours", claims: { scope: "openid" }, gives: 403 },
  ])("$name: $gives", async ({ claims = {}, more = {}, gives }) => {
    const { fetch, sign } = await withIssuer();
    const response = await fetch(post(INITIALIZE, bearer(await sign(claims, more))));
    const error = gives === 403 ? "insufficient_scope" : "invalid_token";
    const challenge =
      `Bearer error="${error}", scope="files:write", ` +
      `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`;
    const found = [response.status, response.headers.get("www-authenticate")];
    expect(found).toEqual([gives, gives === 200 ? null : challenge]);
  });

  it("refuses one that another key has signed, and one without a signature", async () => {
    const { fetch } = await withIssuer();
    const { privateKey } = await generateKeyPair("ES256");
    const forged = await new SignJWT({ sub: "alice", scope: "files:write" })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(ISSUER)
      .setAudience(`${ORIGIN}/mcp`)
      .setExpirationTime("5m")
      .sign(privateKey);
    const [, claims] = forged.split(".");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
    for (const token of [forged, unsigned]) expect((await fetch(post(INITIALIZE, bearer(token)))).status).toBe(401);
  });

  it("are neither accepted nor refused while the keys cannot be read", async () => {
    const { fetch, sign, failing } = await withIssuer();
    failing.push(true);
    const response = await fetch(post(INITIALIZE, bearer(await sign({}))));
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([503, null]);
    failing.pop();
    expect((await fetch(post(INITIALIZE, bearer(await sign({}))))).status).toBe(200);
  });

  it("binds a session to the subject", async () => {
    const { fetch, sign } = await withIssuer();
    const opened = await fetch(post(INITIALIZE, bearer(await sign({}))));
    await opened.text();
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const status = async (sub: string) =>
      (await fetch(post(list, { ...bearer(await sign({ sub })), ...session }))).status;
    expect([await status("bob"), await status("alice")]).toEqual([404, 200]);
  });

  it("are described to clients", async () => {
    const { fetch } = await withIssuer();
    const response = await fetch(request("/.well-known/oauth-protected-resource/mcp"));
    expect(await response.json()).toEqual({
      resource: `${ORIGIN}/mcp`,
      authorization_servers: [ISSUER],
      scopes_supported: ["files:write"],
      bearer_methods_supported: ["header"],
      resource_name: "Holdfast",
    });
  });
});
