import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";

const BIN = "holdfast.cjs";
const BUILDS = "builds";
const STAGE = ".building-";
/** Keeps replaced builds for a day, because servers that still run them load chunks on demand. */
const REPLACED_MS = 24 * 60 * 60 * 1000;

/** Returns an empty folder inside `dist` to build in, and removes those of builds that were killed. */
export function openStage(dist) {
  for (const name of existsSync(dist) ? readdirSync(dist) : [])
    if (name.startsWith(STAGE) && !isAlive(Number(name.slice(STAGE.length))))
      rmSync(join(dist, name), { recursive: true, force: true });
  const stage = join(dist, `${STAGE}${process.pid}`);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  return stage;
}

/**
 * Replaces what is in `dist` by what was built in `stage`, one rename at a time, so that no file is ever missing. The
 * program of each build has its own folder, so a running server keeps loading the chunks it was built with. The bin is
 * replaced last, and dated back to the start of the build, so that a source that was changed meanwhile is newer.
 */
export function swapIn(stage, dist, { startedMs, keepsReplaced = true }) {
  const id = moveProgram(stage, dist);
  const files = filesIn(stage).filter((file) => file !== BIN);
  for (const file of files) moveInto(stage, dist, file);
  utimesSync(join(stage, BIN), startedMs / 1000, startedMs / 1000);
  dateReplaced(dist);
  moveInto(stage, dist, BIN);
  rmSync(stage, { recursive: true });
  removeOld(dist, new Set([...files, BIN]), startedMs);
  removeReplaced(join(dist, BUILDS), id, keepsReplaced ? Date.now() - REPLACED_MS : Infinity);
}

/** Moves the chunks to a folder that is named by the hash of what they hold; the bin leads there. */
function moveProgram(stage, dist) {
  const [bin, chunks] = [join(stage, BIN), join(stage, "chunks")];
  const names = readdirSync(chunks).filter((name) => name.endsWith(".cjs"));
  const start = names.find((name) => name.startsWith("start-")) ?? "";
  const id = hashOf(names.toSorted().map((name) => readFileSync(join(chunks, name))));
  const folder = join(dist, BUILDS, id);
  const program = join(stage, BUILDS);
  mkdirSync(program);
  renameSync(chunks, join(program, "chunks"));
  mkdirSync(dirname(folder), { recursive: true });
  moveUnlessThere(program, folder);
  const text = readFileSync(bin, "utf8").replace(`chunks/${start}`, `${BUILDS}/${id}/chunks/${start}`);
  writeFileSync(bin, text);
  return id;
}

function hashOf(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, 12);
}

/** Moves a folder, unless one of the same name exists, which then holds the same program. */
function moveUnlessThere(program, folder) {
  try {
    renameSync(program, folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? "")) throw error;
    rmSync(program, { recursive: true });
  }
}

function moveInto(stage, dist, file) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  renameSync(join(stage, file), join(dist, file));
}

/** Dates the existing program as replaced now. */
function dateReplaced(dist) {
  const bin = join(dist, BIN);
  const [, id] = (existsSync(bin) && /builds\/(\w+)\//.exec(readFileSync(bin, "utf8"))) || [];
  const folder = join(dist, BUILDS, id ?? "");
  if (id !== undefined && existsSync(folder)) utimesSync(folder, new Date(), new Date());
}

/** Removes what an earlier build made and this one does not. Newer files belong to another build that runs now. */
function removeOld(dist, files, startedMs) {
  for (const file of filesIn(dist)) {
    const path = join(dist, file);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (files.has(file) || mtimeMs >= startedMs) continue;
    rmSync(path, { force: true });
    removeEmpty(dirname(path));
  }
}

function removeReplaced(builds, current, beforeMs) {
  for (const id of readdirSync(builds)) {
    const folder = join(builds, id);
    if (id !== current && statSync(folder).mtimeMs < beforeMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Lists files relative to a folder, without the folders of programs and of running builds. */
function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    if (entry.name === BUILDS || entry.name.startsWith(STAGE)) return [];
    return readdirSync(join(folder, entry.name), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => relative(folder, join(each.parentPath, each.name)));
  });
}

function removeEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
