// Measures the memory of a hundred jobs, more than a server runs at once: in a process of its own, as the tests do.
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../test/exec/jobs/fixtures/many-jobs.ts", import.meta.url));

/** Returns the megabytes by which the process grows, with what the supervisors take. */
export async function memoryOfJobs({ scratch }) {
  const home = mkdtempSync(join(scratch, "jobs-"));
  const outfile = join(home, "program.mjs");
  await build({ entryPoints: [PROGRAM], outfile, bundle: true, format: "esm", platform: "node" });
  const printed = execFileSync(process.execPath, [outfile, JSON.stringify({ home: join(home, "jobs") })]);
  const { ours, supervisors } = JSON.parse(printed.toString());
  return { growth: (ours + supervisors) / 2 ** 20 };
}
