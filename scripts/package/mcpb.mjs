import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { copyProgram, packageJson } from "./program.mjs";

/** Packs a bundle that desktop clients install by a double click. Returns its path. */
export async function packBundle(folder) {
  const bundle = join(folder, `holdfast-${packageJson().version}-${process.platform}-${process.arch}.mcpb`);
  const stage = mkdtempSync(join(tmpdir(), "holdfast-mcpb-"));
  try {
    copyProgram(stage);
    writeFileSync(join(stage, "manifest.json"), `${JSON.stringify(manifest(packageJson()), null, 2)}\n`);
    runMcpb(["validate", join(stage, "manifest.json")]);
    runMcpb(["pack", stage, resolve(bundle)]);
    return bundle;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Returns the manifest: the client asks for directories and passes each as a word. */
function manifest({ name, version, description, author, license, keywords, repository, engines }) {
  return {
    manifest_version: "0.3",
    name,
    display_name: "Holdfast",
    version,
    description,
    author: { name: author },
    repository: { type: repository.type, url: repository.url.replace(/^git\+/, "") },
    license,
    keywords,
    server: {
      type: "node",
      entry_point: "dist/holdfast.cjs",
      mcp_config: { command: "node", args: ["${__dirname}/dist/holdfast.cjs", "${user_config.directories}"], env: {} },
    },
    tools_generated: true,
    compatibility: { platforms: [process.platform], runtimes: { node: engines.node } },
    user_config: {
      directories: {
        type: "directory",
        title: "Directories",
        description: "What the agent may read and change. Every change can be undone.",
        multiple: true,
        required: true,
      },
    },
  };
}

function runMcpb(words) {
  const { status, stdout, stderr } = spawnSync("node_modules/.bin/mcpb", words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot pack the bundle: mcpb ${words[0]} failed\n${stdout}${stderr}`);
}
