import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { layout } from "../layout.ts";

/** Who runs a program, and through what: `["sh", "-c", 'ulimit -n 9; exec "$@"', "sh"]`. */
export interface Alone {
  readonly uid?: number;
  readonly gid?: number;
  readonly through?: readonly string[];
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
export function runAlone(program: string, orders: unknown, { through = [], ...who }: Alone): unknown {
  const top = dirname(layout([]));
  chmodSync(top, 0o755);
  const outfile = join(top, "program.cjs");
  buildSync({ entryPoints: [program], outfile, bundle: true, platform: "node", logLevel: "error" });
  const [command, ...words] = [...through, process.execPath, outfile, JSON.stringify(orders)];
  return JSON.parse(execFileSync(command, words, { ...who, cwd: top, encoding: "utf8" }));
}
