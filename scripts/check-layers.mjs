// Fails when a file imports upward or sideways, or touches files or processes outside their homes.
import { builtinModules } from "node:module";
import { join } from "node:path";
import { finish, root } from "./gate.mjs";
import { importsOf, sourceFiles, targetOf } from "./sources.mjs";

const BELOW_RUNTIME = ["base", "text", "workspace", "exec", "config", "schema"];

/** Maps a layer to what it may import besides itself: a layer, a folder or a single file. */
const MAY_IMPORT = {
  base: [],
  text: ["base"],
  content: ["base", "text"],
  storage: ["base"],
  workspace: ["base", "text", "content", "storage"],
  exec: ["base", "text"],
  schema: ["base"],
  config: ["base", "text"],
  tools: ["base", "text", "content", "workspace", "exec", "schema", "storage/storage.ts", "storage/writer.ts"],
  runtime: [...BELOW_RUNTIME, "storage/storage.ts", "storage/state.ts", "tools/tool.ts"],
  dialects: ["base", "text", "schema", "runtime", "tools"],
  plugins: [
    "base",
    "text",
    "schema",
    "runtime",
    "dialects",
    "tools",
    "storage/storage.ts",
    "storage/objects/object-storage.ts",
  ],
  app: [...BELOW_RUNTIME, "content", "storage", "tools", "runtime", "dialects", "plugins"],
  faces: ["base", "text", "schema", "config", "runtime", "dialects/load.ts", "plugins", "app", "tools/tool.ts"],
  testing: [
    "base",
    "storage/storage.ts",
    "storage/writer.ts",
    "storage/state.ts",
    "storage/memory/state.ts",
    "storage/objects/object-storage.ts",
    "storage/objects/object-store.ts",
    "storage/objects/store-id.ts",
    "workspace",
  ],
  "testing.ts": ["testing"],
  "index.ts": [
    "app",
    "faces/sdk",
    "dialects",
    "plugins",
    "base",
    "tools/fs/changing/change-answer.ts",
    "tools/fs/changing/text-change.ts",
    "tools/result-images.ts",
    "tools/tool.ts",
    "tools/whole-text.ts",
    "runtime",
    "schema",
    "storage/bridge/fs-bridge.ts",
    "storage/facts.ts",
    "storage/memory/memory-storage.ts",
    "storage/objects",
    "storage/picture-entries.ts",
    "storage/pictures.ts",
    "storage/state.ts",
    "storage/storage.ts",
    "storage/streamed-tree.ts",
    "storage/views.ts",
    "storage/writer.ts",
    "workspace/view.ts",
  ],
};

/** Maps a layer to what it may not import although the rest of the folder is allowed: only app/ chooses storages. */
const MUST_NOT_IMPORT = { workspace: ["storage/local", "storage/memory", "storage/objects/object-storage.ts"] };

/** Maps a Node module to the only places that may import it. */
const HOMES = {
  "node:fs": [
    "base/process-identity.ts",
    "storage/local",
    "exec/sandbox",
    "exec/view",
    "exec/jobs",
    "exec/picture",
    "exec/pty",
    "config/load.ts",
    "config/stamp.ts",
    "faces",
  ],
  "node:child_process": ["exec/spawn.ts"],
};

/** Lists the only places that may import by a computed name, which no check can judge. */
const MAY_COMPUTE = ["plugins/load.ts"];

const src = join(root, "src");
const files = sourceFiles(src, ["."]);
finish(files.length, files.flatMap(problemsOf));

function problemsOf(file) {
  return importsOf(src, file)
    .map((specifier) => complaint(file, specifier))
    .filter((text) => text !== undefined)
    .map((text) => `src/${file}: ${text}`);
}

function complaint(file, specifier) {
  if (specifier === null) return isIn(file, MAY_COMPUTE) ? undefined : "imports a computed name";
  const target = targetOf(file, specifier);
  if (target === undefined) return homeComplaint(file, specifier);
  if (!files.includes(target)) return `imports ${specifier}, which is no source file below src`;
  return layerComplaint(file, target);
}

function homeComplaint(file, specifier) {
  const name = builtinModules.includes(specifier) ? `node:${specifier}` : specifier;
  const homes = HOMES[name.replace(/\/.*/, "")];
  if (homes === undefined || isIn(file, homes)) return undefined;
  return `imports ${specifier}, whose home is ${homes.join(", ")}`;
}

function layerComplaint(file, target) {
  const [from, to] = [layerOf(file), layerOf(target)];
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined) return `${from} is no layer: add it to MAY_IMPORT or move the file`;
  const isForbidden = isIn(target, MUST_NOT_IMPORT[from] ?? []);
  if (from === to || (isIn(target, allowed) && !isForbidden)) return undefined;
  return `${from} must not import ${target}`;
}

function layerOf(path) {
  return path.split("/")[0];
}

function isIn(path, places) {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
