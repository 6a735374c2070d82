import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { needs } from "../../programs.ts";
import { type Caller, callerOn, scratch } from "../scratch.ts";

const SERVER = `require("node:http").createServer((request, response) => response.end("served"))
  .listen(0, "127.0.0.1", function () { require("node:fs").writeFileSync("port", String(this.address().port)); });`;

const CLIENT = `fetch("http://localhost:" + process.argv[2]).then((answer) => answer.text())
  .then(console.log, (error) => { console.error(error.cause.code); process.exit(1); });`;

const HINT = "a server started here is reached on localhost by commands of this session only";
const OPENS = "a user can open the network with tools.exec.sandbox.network";

function project(): string {
  needs("bwrap", "unshare", "mount", "setpriv");
  return scratch({ "server.cjs": SERVER, "client.cjs": CLIENT });
}

const agentOn = (root: string, network?: "on"): Caller =>
  callerOn(root, { exec: { security: "full", sandbox: network && { network } } });

const node = JSON.stringify(process.execPath);

/** Starts the server as an agent does, and waits until it listens. */
async function serve(call: Caller, root: string, more: object): Promise<{ notes: unknown; port: string; id: unknown }> {
  writeFileSync(join(root, "port"), "");
  const { data } = await call("exec", { command: `${node} server.cjs`, ...more });
  await vi.waitUntil(() => readFileSync(join(root, "port"), "utf8") !== "", { timeout: 20_000 });
  return { notes: data["notes"], port: readFileSync(join(root, "port"), "utf8"), id: data["process_id"] };
}

it("is reached by later commands of its session, and by nobody else", async () => {
  const root = project();
  const [call, stranger] = [agentOn(root), agentOn(root)];
  for (const { how, hint } of [
    { how: { background: true }, hint: `${HINT}; ${OPENS}` },
    { how: { pty: true, yield_ms: 1 }, hint: `${HINT}; ${OPENS}` },
    { how: { detach: true }, hint: `${HINT}, not of later ones; ${OPENS}` },
  ]) {
    const { notes, port, id } = await serve(call, root, how);
    expect(notes).toContainEqual(hint);
    const { data } = await call("exec", { command: `${node} client.cjs ${port}` });
    expect(data).toMatchObject({ exit_code: 0, output: "served\n" });
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow("fetch failed");
    const refused = await stranger("exec", { command: `cat < /dev/tcp/127.0.0.1/${port}` });
    expect(refused.text).toContain("only servers that this session has started with background: true");
    await call("process", { action: "kill", process_id: id });
  }
}, 60_000);

it("is reached from everywhere on this machine where the network is on, and nothing else is said", async () => {
  const root = project();
  const call = agentOn(root, "on");
  const { notes, port, id } = await serve(call, root, { background: true });
  expect(JSON.stringify(notes ?? [])).not.toContain("localhost");
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("served");
  await call("process", { action: "kill", process_id: id });
}, 60_000);
