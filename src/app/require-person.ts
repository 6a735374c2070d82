import { Fault } from "../base/errors.ts";
import { jobAroundUs } from "../exec/jobs/around-us.ts";
import { homeOf, jobsHomeOf } from "./directories.ts";
import type { Options } from "./options.ts";

/** Throws where the command of an agent has started us: some things are left to people (decision 076). */
export function requirePerson(options: Options, what: string): void {
  const job = jobAroundUs(jobsHomeOf(homeOf(options)));
  if (job === undefined) return;
  const by = job === "unknown" ? "the command of an agent" : `the command of job ${job}`;
  const way = "run it in a terminal of your own";
  throw new Fault("denied", `Cannot run ${what}: ${by} started it, and only people may; ${way}`, { job });
}
