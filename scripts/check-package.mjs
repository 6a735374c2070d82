// Fails when the package to publish is broken, too large, loads too much at its start, lacks types or documents that
// others link to, or contains files that it should not.
import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { finish } from "./gate.mjs";

const ALLOWED =
  /^(dist\/.*|docs\/.*|examples\/[\w.-]+\.mjs|schema\/.*|man\/holdfast\.1|LICENSE|[A-Z]+\.md|package\.json)$/;
/** The most that the unpacked package may take on a disk with blocks of 4 KiB. */
const MOST_DISK_BYTES = 6_000_000;
const BLOCK = 4096;
/** The most that the program may load at its start: every client has a server of its own, which holds all of it. */
const MOST_START_BYTES = 800_000;
const CURRENT_BUILD = `dist/${/builds\/\w+/.exec(readFileSync("dist/holdfast.cjs", "utf8"))?.[0]}`;

const folder = mkdtempSync(join(tmpdir(), "package-"));
try {
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [{ filename }] = JSON.parse(
    execFileSync("npm", pack, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
  const tarball = join(folder, filename);
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  const unpacked = join(folder, "package");
  const paths = readdirSync(unpacked, { recursive: true }).map(String).filter(isPublished);
  const files = paths.filter((path) => lstatSync(join(unpacked, path)).isFile());
  finish(files.length, [
    ...files.filter((path) => !ALLOWED.test(path)).map((path) => `${path}: must not be published`),
    ...sizeProblems(paths.map((path) => lstatSync(join(unpacked, path)).size)),
    ...startProblems(files.filter((path) => /\/start-\w+\.cjs$/.test(path)).map((path) => join(unpacked, path))),
    ...files
      .filter((path) => /^(README\.md|docs\/.*\.md)$/.test(path))
      .flatMap((path) => deadLinks(unpacked, path, paths)),
    ...complaintsOf("publint", ["--strict", tarball]),
    ...complaintsOf("attw", ["--profile", "esm-only", "--no-emoji", tarball]),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Leaves out earlier builds, which `npm publish` removes before it packs. */
function isPublished(path) {
  return !path.startsWith("dist/builds/") || path.startsWith(CURRENT_BUILD);
}

/** Counts whole blocks, as a disk does: many small files take more than their bytes. */
function sizeProblems(sizes) {
  const bytes = sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK) * BLOCK, 0);
  return bytes > MOST_DISK_BYTES ? [`unpacked: ${bytes} bytes on disk, at most ${MOST_DISK_BYTES}`] : [];
}

/** Finds code that is no longer behind an `import()`, and packages that esbuild could not shake. */
function startProblems(starts) {
  const bytes = starts.reduce((sum, start) => sum + lstatSync(start).size, 0);
  const isRight = bytes > 0 && bytes <= MOST_START_BYTES;
  return isRight ? [] : [`start: the program loads ${bytes} bytes at its start, at most ${MOST_START_BYTES}`];
}

/** Returns the links of a document that lead to no file or folder of the package. */
function deadLinks(unpacked, file, paths) {
  const text = readFileSync(join(unpacked, file), "utf8").replaceAll(/```[^]*?```|`[^`]*`/g, "");
  const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
  return links
    .filter((link) => !/^[a-z]+:/i.test(link))
    .map((link) => posix.normalize(posix.join(posix.dirname(file), link)).replace(/\/$/, ""))
    .filter((target) => !paths.includes(target))
    .map((target) => `${file}: links to ${target}, which is not in the package`);
}

function complaintsOf(tool, args) {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${tool}`, args, { encoding: "utf8" });
  return status === 0 ? [] : [`${tool}:\n${stdout}${stderr}`];
}
