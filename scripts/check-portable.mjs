// Fails when a file of the repository names a place on one machine, or a package registry.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { finish, root } from "./gate.mjs";

/** Uses patterns, so that this file passes its own check. */
const FOREIGN = [
  /(?<![\w.~-])[/](work[/]|root[/]|tmp[/]holdfast)/,
  /registry[.](npmjs|yarnpkg)|(deb|security)[.]debian/,
  /"resolved": "[h]ttp/,
  ...configuredRegistry(),
];

const files = repositoryFiles();
finish(files.length, files.flatMap(problemsOf));

/** Also finds the registry mirror that this machine is configured with. */
function configuredRegistry() {
  const address = process.env["npm_config_registry"];
  return address ? [new RegExp(new URL(address).host.replaceAll(".", "[.]"))] : [];
}

/** Lists tracked files, and untracked ones that are not ignored. */
function repositoryFiles() {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
  return [...new Set(names)].filter((name) => name !== "" && existsSync(join(root, name)));
}

function problemsOf(file) {
  const lines = readFileSync(join(root, file), "latin1").split("\n");
  return lines.flatMap((line, index) => {
    const found = FOREIGN.map((pattern) => pattern.exec(line)?.[0]).find((text) => text !== undefined);
    return found === undefined ? [] : [`${file}:${index + 1}: names ${found}`];
  });
}
