import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Writes the code cache of a built bin: what V8 has compiled after a client has connected and read a file. */
export async function writeCodeCache(bin) {
  const home = mkdtempSync(join(tmpdir(), "holdfast-build-"));
  try {
    writeFileSync(join(home, "notes.txt"), "Buy milk.\n");
    await talk(bin, home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const clientInfo = { name: "build", version: "1" };
const TALK = [
  { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  { id: 3, method: "tools/call", params: { name: "read", arguments: { path: "notes.txt" } } },
].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** Removes this Node's flags from the server's environment: V8 rejects a cache that was made with other flags. */
async function talk(bin, home) {
  const keepCode = new URL("keep-code.mjs", import.meta.url).href;
  const server = spawn(process.execPath, ["--import", keepCode, bin, home], {
    env: { ...process.env, NODE_OPTIONS: "", HOLDFAST_STATE: join(home, "state") },
    stdio: ["pipe", "pipe", "inherit"],
    signal: AbortSignal.timeout(60_000),
  });
  const [[status]] = await Promise.all([once(server, "close"), converse(server)]);
  if (status !== 0) throw new Error(`Cannot make the code cache: ${bin} ended with ${status}`);
}

async function converse({ stdin, stdout }) {
  stdin.write(TALK.join(""));
  let unanswered = 3;
  for await (const _ of createInterface(stdout)) if (--unanswered === 0) stdin.end();
}
