import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";
import { layout } from "../layout.ts";
import { needsOwnMounts } from "../programs.ts";

/** Who runs a program, and through what: `["sh", "-c", 'ulimit -n 9; exec "$@"', "sh"]`. */
export interface Alone {
  readonly uid?: number;
  readonly gid?: number;
  readonly through?: readonly string[];
  /** Without the packages that may be missing. */
  readonly isBare?: boolean;
}

/** Through this a program has mounts of its own, and may make more. */
export const WITH_OWN_MOUNTS: readonly string[] = [
  "unshare",
  ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]),
  "--mount",
  "--propagation",
  "private",
];

/** Runs a program of ours in a process of its own: hands it orders as JSON, and gives back the JSON it prints. */
export function runAlone(program: string, orders: unknown, { through = [], isBare = false, ...who }: Alone): unknown {
  if (through[0] === "unshare") needsOwnMounts(WITH_OWN_MOUNTS);
  const top = dirname(layout([]));
  chmodSync(top, 0o755);
  const outfile = join(top, "program.cjs");
  buildSync({ ...BUNDLE, entryPoints: [program], outfile });
  const env = { ...process.env, NODE_PATH: isBare ? "" : resolve("node_modules") };
  const [command, ...words] = [...through, process.execPath, outfile, JSON.stringify(orders)];
  return JSON.parse(execFileSync(command, words, { ...who, env, cwd: top, encoding: "utf8" }));
}

const BUNDLE: BuildOptions = {
  bundle: true,
  platform: "node",
  logLevel: "error",
  define: { "import.meta.url": "importMetaUrl" },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};
