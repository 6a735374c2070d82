import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";
import { TestRunner } from "vitest";
import { layout } from "../layout.ts";
import { needsOwnMounts } from "../programs.ts";

/** Says who runs a program, and through which command: `["sh", "-c", 'ulimit -n 9; exec "$@"', "sh"]`. */
export interface RunOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly through?: readonly string[];
  /** Hides the optional packages. */
  readonly isBare?: boolean;
}

/** Runs a program in a mount namespace of its own, in which it may mount more. */
export const WITH_OWN_MOUNTS: readonly string[] = [
  "unshare",
  ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]),
  "--mount",
  "--propagation",
  "private",
];

/** Runs a program of ours in a process of its own: passes options as JSON, and returns the JSON it prints. */
export function runAlone(
  program: string,
  options: unknown,
  { through = [], isBare = false, ...spawnOptions }: RunOptions,
): unknown {
  if (through[0] === "unshare") needsOwnMounts(WITH_OWN_MOUNTS);
  const top = dirname(layout([]));
  chmodSync(top, 0o755);
  const outfile = join(top, "program.cjs");
  writeFileSync(outfile, bundleOf(program));
  const env = { ...process.env, NODE_PATH: isBare ? "" : resolve("node_modules") };
  const [command, ...words] = [...through, process.execPath, outfile, JSON.stringify(options)];
  return JSON.parse(execFileSync(command, words, { ...spawnOptions, ...ended(), env, cwd: top, encoding: "utf8" }));
}

/** The runner cannot end a test that waits here. */
const ended = () =>
  ({ timeout: (TestRunner.getCurrentTest()?.timeout ?? 60_000) - 2_000, killSignal: "SIGKILL" }) as const;

function bundleOf(program: string): Uint8Array {
  const bundle = BUNDLES.get(program) ?? buildSync({ ...BUNDLE, entryPoints: [program] }).outputFiles[0]?.contents;
  if (!bundle) throw new Error(`${program} gives no bundle`);
  BUNDLES.set(program, bundle);
  return bundle;
}

const BUNDLES = new Map<string, Uint8Array>();

const BUNDLE = {
  write: false,
  bundle: true,
  platform: "node",
  logLevel: "error",
  define: { "import.meta.url": "importMetaUrl" },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
} as const satisfies BuildOptions;
