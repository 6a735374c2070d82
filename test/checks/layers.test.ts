import { gateContract } from "./gate-contract.ts";

const clean = {
  "src/base/errors.ts": "export const one = 1;\n",
  "src/text/line-feeds.ts": 'import { one } from "../base/errors.ts";\nexport const two = one + 1;\n',
  "src/storage/local/open.ts": 'import { openSync } from "node:fs";\nexport const open = openSync;\n',
  "src/exec/spawn.ts": 'export { spawn } from "node:child_process";\n',
  "src/tools/tool.ts": "export interface Tool {}\n",
  "src/tools/read.ts": "export const read = {};\n",
  "src/runtime/call.ts": 'import type { Tool } from "../tools/tool.ts";\nexport type Call = Tool;\n',
  "src/faces/cli/main.ts": 'export const run = () => import("./command.ts");\n',
  "src/faces/cli/command.ts": 'export const said = "import(../../tools/read.ts)";\n',
};

gateContract("check-layers.mjs", clean, [
  {
    name: "an upward import",
    tree: { "src/base/errors.ts": 'import "../text/line-feeds.ts";\n' },
    says: "src/base/errors.ts: base must not import text/line-feeds.ts",
  },
  {
    name: "an upward import of a type",
    tree: { "src/base/errors.ts": 'import type { two } from "../text/line-feeds.ts";\n' },
    says: "src/base/errors.ts: base must not import text/line-feeds.ts",
  },
  {
    name: "an upward type written inline",
    tree: { "src/base/errors.ts": 'export type Two = import("../text/line-feeds.ts").Two;\n' },
    says: "src/base/errors.ts: base must not import text/line-feeds.ts",
  },
  {
    name: "an upward import at run time",
    tree: { "src/base/errors.ts": "export const late = () => import(`../text/line-feeds.ts`);\n" },
    says: "src/base/errors.ts: base must not import text/line-feeds.ts",
  },
  {
    name: "an upward re-export",
    tree: { "src/base/errors.ts": 'export * from "../text/line-feeds.ts";\n' },
    says: "src/base/errors.ts: base must not import text/line-feeds.ts",
  },
  {
    name: "the runtime knowing a single tool",
    tree: { "src/runtime/call.ts": 'import { read } from "../tools/read.ts";\n' },
    says: "src/runtime/call.ts: runtime must not import tools/read.ts",
  },
  {
    name: "a dialect that reaches for the files",
    tree: {
      "src/dialects/own.ts": 'import "../workspace/view.ts";\n',
      "src/workspace/view.ts": "export const view = 1;\n",
    },
    says: "src/dialects/own.ts: dialects must not import workspace/view.ts",
  },
  ...["local", "memory"].map((storage) => ({
    name: `a workspace that chooses the storage ${storage}`,
    tree: {
      "src/workspace/view.ts": `import "../storage/${storage}/storage.ts";\n`,
      [`src/storage/${storage}/storage.ts`]: "export const storage = 1;\n",
    },
    says: `src/workspace/view.ts: workspace must not import storage/${storage}/storage.ts`,
  })),
  {
    name: "a face that knows a dialect",
    tree: { "src/faces/mcp.ts": 'import "../dialects/own.ts";\n', "src/dialects/own.ts": "export const own = 1;\n" },
    says: "src/faces/mcp.ts: faces must not import dialects/own.ts",
  },
  {
    name: "files touched outside their home",
    tree: { "src/workspace/view.ts": 'import { readFile } from "node:fs/promises";\n' },
    says: "src/workspace/view.ts: imports node:fs/promises",
  },
  {
    name: "files touched by the old module name",
    tree: { "src/workspace/view.ts": 'import fs from "fs";\n' },
    says: "src/workspace/view.ts: imports fs",
  },
  {
    name: "a process started outside its home",
    tree: { "src/exec/shell.ts": 'import { spawn } from "node:child_process";\n' },
    says: "src/exec/shell.ts: imports node:child_process",
  },
  {
    name: "an import nobody can judge",
    tree: { "src/text/line-feeds.ts": "export const load = (name: string) => import(name);\n" },
    says: "src/text/line-feeds.ts: imports a computed name",
  },
  {
    name: "an import that leaves src",
    tree: { "src/text/line-feeds.ts": 'import "../../scripts/gate.mjs";\n' },
    says: "src/text/line-feeds.ts: imports ../../scripts/gate.mjs",
  },
  {
    name: "a folder that is no layer",
    tree: { "src/utils/all.ts": 'import "../base/errors.ts";\n' },
    says: "src/utils/all.ts: utils is no layer",
  },
]);
