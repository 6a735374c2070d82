import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { scratch } from "../../runtime/scratch.ts";
import { bearer, OPERATOR_KEY, request } from "../http/served.ts";
import { consoleOn, logIn } from "./console.ts";

describe("who may use the interface", () => {
  it.each([
    { name: "a person", gives: 200 },
    { name: "nobody", headers: { cookie: "" }, gives: 401 },
    { name: "a wrong cookie", headers: { cookie: "holdfast=wrong" }, gives: 401 },
    { name: "no header of the page", headers: { "x-holdfast": "" }, gives: 403 },
    { name: "a page of another site", headers: { origin: "http://evil.example" }, gives: 403 },
    { name: "a page of another port", headers: { origin: "http://127.0.0.1:3000" }, gives: 403 },
    { name: "our own page", headers: { origin: "http://127.0.0.1:4747" }, gives: 200 },
    { name: "another host (DNS rebinding)", headers: { host: "evil.example:4747" }, gives: 403 },
    { name: "reading without a key", headers: { "x-holdfast-key": "" }, gives: 200 },
  ])("$name: $gives", async ({ headers = {}, gives }) => {
    const { ask } = await consoleOn(scratch());
    expect((await ask("GET", "/api/waiting", undefined, headers)).status).toBe(gives);
  });

  it.each([
    { name: "no key", key: "" },
    { name: "a wrong key", key: "wrong" },
  ])("$name: changes nothing", async ({ key }) => {
    const { ask } = await consoleOn(scratch());
    const response = await ask("POST", "/api/trash/purge-expired", {}, { "x-holdfast-key": key });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: { code: "denied", message: "Cannot serve this: log in first", hint: "holdfast status prints a link" } },
    ]);
  });

  it("the key of another login is none", async () => {
    const server = await consoleOn(scratch());
    const { key } = await logIn(server);
    expect((await server.ask("POST", "/api/trash/purge-expired", {}, { "x-holdfast-key": key })).status).toBe(401);
  });

  it("tokens of agents and of the command line are no login", async () => {
    const { fetch, token } = await consoleOn(scratch());
    for (const each of [token, OPERATOR_KEY]) {
      const headers = { ...bearer(each), "x-holdfast": "1", "x-holdfast-key": each };
      expect((await fetch(request("/api/waiting", { headers }))).status).toBe(401);
    }
  });

  it("what is answered is never kept or taken for another type", async () => {
    const { ask } = await consoleOn(scratch());
    const { headers } = await ask("GET", "/api/waiting");
    const sent = ["content-type", "cache-control", "x-content-type-options", "referrer-policy"].map((name) =>
      headers.get(name),
    );
    expect(sent).toEqual(["application/json", "no-store", "nosniff", "no-referrer"]);
  });
});

describe("hostile requests", () => {
  const LONG = "x".repeat(LIMITS.consoleBodyBytes);
  it.each([
    { method: "GET", path: "/api/", gives: [404, "not_found"] },
    { method: "GET", path: "/api/nothing", gives: [404, "not_found"] },
    { method: "GET", path: "/api/changes/", gives: [404, "not_found"] },
    { method: "GET", path: "/api/changes/%zz", gives: [404, "not_found"] },
    { method: "GET", path: "/api/changes/..%2f..%2fetc%2fpasswd", gives: [404, "not_found"] },
    { method: "GET", path: "/api/changes/0mb2q7k1x9a4f3c", gives: [404, "not_found"] },
    { method: "GET", path: "/api/changes?cursor=", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/changes?unknown=1", gives: [400, "invalid_input"] },
    { method: "GET", path: `/api/changes?path=${"x/".repeat(LIMITS.pathBytes)}`, gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/timeline?limit=-1", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/timeline?limit=1e9", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/timeline?before=../../etc/passwd.1", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/net", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/net?session=none", gives: [404, "not_found"] },
    { method: "GET", path: "/api/export?session=none&as=patch", gives: [404, "not_found"] },
    { method: "GET", path: "/api/export?session=none&as=html", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/explain?act=fly&subject=a", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/explain?act=read&subject=a%00b", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/jobs/none/output", gives: [404, "not_found"] },
    { method: "GET", path: "/api/jobs/none/output?from=x", gives: [400, "invalid_input"] },
    { method: "GET", path: "/api/undo", gives: [405, "invalid_input"] },
    { method: "DELETE", path: "/api/trash", gives: [405, "invalid_input"] },
    { method: "POST", path: "/api/overview", body: {}, gives: [405, "invalid_input"] },
    { method: "POST", path: "/api/undo", body: "{", gives: [400, "invalid_input"] },
    { method: "POST", path: "/api/undo", body: "[]", gives: [400, "invalid_input"] },
    { method: "POST", path: "/api/undo", body: {}, gives: [400, "invalid_input"] },
    { method: "POST", path: "/api/undo", body: { dryRun: true }, gives: [400, "invalid_input"] },
    {
      method: "POST",
      path: "/api/undo",
      body: { change: "a", session: "b", dryRun: true },
      gives: [400, "invalid_input"],
    },
    { method: "POST", path: "/api/undo", body: { change: "a", dryRun: "no" }, gives: [400, "invalid_input"] },
    { method: "POST", path: "/api/undo", body: { change: "../x", dryRun: true }, gives: [404, "not_found"] },
    { method: "POST", path: "/api/undo", body: { change: "a", dryRun: true, x: LONG }, gives: [413, "too_large"] },
    { method: "POST", path: "/api/waiting/000000000000", body: { decision: "once" }, gives: [404, "not_found"] },
    { method: "POST", path: "/api/waiting/000000000000", body: { decision: "yes" }, gives: [400, "invalid_input"] },
    { method: "POST", path: "/api/trash/none/restore", body: {}, gives: [404, "not_found"] },
    { method: "POST", path: "/api/grants/none/revoke", body: {}, gives: [404, "not_found"] },
    { method: "POST", path: "/api/jobs/none/stop", body: {}, gives: [404, "not_found"] },
    { method: "POST", path: "/api/jobs/none/apply", body: { prefer: "mine" }, gives: [400, "invalid_input"] },
  ])("$method $path $body: $gives", async ({ method, path, body, gives }) => {
    const { ask } = await consoleOn(scratch({ "a.txt": "a" }));
    const response = await ask(method, path, body);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code]).toEqual(gives);
    expect(error.message).toMatch(/^Cannot /);
  });

  it("no JSON: 415", async () => {
    const { ask } = await consoleOn(scratch());
    const form = await ask("POST", "/api/undo", "change=a", { "content-type": "application/x-www-form-urlencoded" });
    expect(form.status).toBe(415);
  });
});
