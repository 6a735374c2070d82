import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { buildSync } from "esbuild";
import { dirname } from "node:path";
import { layout } from "../layout.ts";

/** Runs a program of ours in several processes at once: each gets options as JSON, and prints JSON. */
export async function runTogether<T>(program: string, options: readonly unknown[]): Promise<readonly T[]> {
  const outfile = join(dirname(layout([])), "program.cjs");
  buildSync({ entryPoints: [program], outfile, bundle: true, platform: "node", logLevel: "error" });
  return Promise.all(options.map((each) => runOne<T>(outfile, each)));
}

async function runOne<T>(program: string, each: unknown): Promise<T> {
  const child = spawn(process.execPath, [program, JSON.stringify(each)], { stdio: ["ignore", "pipe", "inherit"] });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output) as T;
}
