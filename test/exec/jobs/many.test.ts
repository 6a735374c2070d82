import { expect, it } from "vitest";
import { runAlone } from "../../contracts/run-alone.ts";
import { temporaryJobs } from "./temporary-jobs.ts";

it("a hundred jobs take less than 50 MB in all, and next to no work while they wait", () => {
  const { home } = temporaryJobs();
  const cost = runAlone("test/exec/jobs/fixtures/many-jobs.ts", { home }, {}) as Record<string, number>;
  const { ours = NaN, supervisors = NaN, work = NaN } = cost;
  expect(cost).toMatchObject({ states: ["exited"] });
  expect(ours + supervisors).toBeLessThan(50_000_000);
  expect(work).toBeLessThan(300);
});
