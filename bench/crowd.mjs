// Plants the history of other workspaces beside ours, and starts servers for them that have each made a change.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callTool } from "./client.mjs";
import { openServer } from "./rounds.mjs";

const WORKSPACES = 20;
const CHANGES = 100_000;
const CHANGES_PER_FILE = 400;
/** Says how many changes lie between two of the file that is asked about. */
const HOT_EVERY = 500;

/** Names the file that was changed every now and then. */
export const hotFile = (folder) => join(folder, "hot.txt");

/** Plants 100,000 changes of 20 workspaces and ours, and starts a server for each of the 20. Returns how to end them. */
export async function gather({ root, scratch }, state, product) {
  const others = Array.from({ length: WORKSPACES }, (_, nth) => join(scratch, `other-${nth}`));
  for (const other of others) mkdirSync(other, { recursive: true });
  writeFileSync(hotFile(scratch), "hot\n");
  mkdirSync(join(state, "changes"), { recursive: true });
  const files = CHANGES / CHANGES_PER_FILE;
  for (let nth = 0; nth < files; nth++)
    writeJournal(state, nth, nth % 5 === 0 ? root : others[nth % WORKSPACES], scratch);
  const servers = await Promise.all(others.map((other) => serve(product, other, state)));
  return { stop: () => Promise.all(servers.map((server) => server.stop())) };
}

async function serve({ command: [program, bin] }, directory, state) {
  const command = [program, bin, directory];
  const server = await openServer({ command, cwd: directory, env: { HOLDFAST_STATE: state } });
  await callTool(server, ["write", { path: "first.txt", content: "first\n" }]);
  return server;
}

/** Writes a journal as a process leaves it: its roots, and a record for each change. */
function writeJournal(state, nth, root, scratch) {
  const { dev, ino } = statSync(root);
  const first = nth * CHANGES_PER_FILE;
  const ids = Array.from({ length: CHANGES_PER_FILE }, (_, index) => idOf(first + index));
  const lines = ids.map((id, index) => recordLine(id, pathOf(root, first + index, scratch)));
  const header = JSON.stringify({ roots: [{ path: root, dev: String(dev), ino: String(ino) }] });
  writeFileSync(join(state, "changes", `${ids[0]}-${ids.at(-1)}`), `${[header, ...lines].join("\n")}\n`);
}

const pathOf = (root, nth, scratch) =>
  nth % HOT_EVERY === 0 ? hotFile(scratch) : join(root, "src", `dir-${nth % 50}`, `file-${nth % 997}.ts`);

/** Ids sort by age; these are older than all that a run makes. */
const idOf = (nth) => `${(1_600_000_000_000_000 + nth).toString(36).padStart(11, "0")}0000`;

function recordLine(id, path) {
  const state = { kind: "file", version: `c-${"0".repeat(24)}`, size: 1000, mode: 420, modifiedMs: 1, identity: "1:1" };
  const effect = { action: "replace", path, before: state, after: state, lines: { added: 1, removed: 1 } };
  const delta = { at: 10, length: 3, inserted: "a".repeat(120) };
  const author = { session: "00000000-0000-0000-0000-000000000000", principal: "agent", tool: "edit" };
  const record = { id, timeMs: Date.now() - 60_000, ...author, effects: [{ ...effect, delta }] };
  return JSON.stringify({ tag: "0", record, litter: [] });
}
