// Fails when the package to publish is broken, lacks types, or contains files that it should not.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finish } from "./gate.mjs";

const ALLOWED = /^(dist\/.*|docs\/.*|schema\/.*|man\/holdfast\.1|LICENSE|README\.md|package\.json)$/;

const folder = mkdtempSync(join(tmpdir(), "package-"));
try {
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [{ filename, files }] = JSON.parse(
    execFileSync("npm", pack, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
  const tarball = join(folder, filename);
  finish(files.length, [
    ...files.filter(({ path }) => !ALLOWED.test(path)).map(({ path }) => `${path}: must not be published`),
    ...complaintsOf("publint", ["--strict", tarball]),
    ...complaintsOf("attw", ["--profile", "esm-only", "--no-emoji", tarball]),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function complaintsOf(tool, args) {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${tool}`, args, { encoding: "utf8" });
  return status === 0 ? [] : [`${tool}:\n${stdout}${stderr}`];
}
