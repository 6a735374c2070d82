// Fetches other servers from npm once, into a folder that outlives the run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FOLDER = join(tmpdir(), "holdfast-bench-peers");

/** Returns the peers that are installed or could be fetched, ready to start. Prints which are left out. */
export function installPeers(peers, say) {
  return peers.flatMap((peer) => {
    const program = join(folderOf(peer), "node_modules", peer.package, peer.entry);
    if (!existsSync(program)) fetchPeer(peer, say);
    const command = [process.execPath, ...(peer.through ?? []), program, ...peer.flags];
    if (existsSync(program)) return [{ ...peer, command }];
    say(`Left out: ${peer.id}, because ${peer.package}@${peer.version} could not be installed.`);
    return [];
  });
}

function fetchPeer(peer, say) {
  const folder = folderOf(peer);
  say(`Installing ${peer.package}@${peer.version} (once) …`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--fetch-retries=1", "--prefix", folder];
  spawnSync("npm", ["install", ...flags, `${peer.package}@${peer.version}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}

function folderOf({ id, version }) {
  return join(FOLDER, `${id}-${version}`);
}
