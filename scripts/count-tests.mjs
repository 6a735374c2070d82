// Reads vitest's reports: prints how long each suite of each run took, and closes with "N passed, N failed" over all of
// them. Fails when a test failed, a file ran none, or a run had none.
import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const runs = reportsIn("reports").map(({ run, testResults }) => {
  const tests = testResults.flatMap((file) => file.assertionResults);
  const [passed, failed] = [count(tests, "passed"), count(tests, "failed")];
  console.log(`${run}: ${testResults.length} files, ${tests.length - passed - failed} tests skipped`);
  for (const [suite, seconds] of secondsBySuite(testResults)) console.log(`  ${suite}: ${seconds.toFixed(0)} s`);
  const problems = [...problemsOf(testResults), ...(passed + failed === 0 ? ["No test ran"] : [])];
  problems.forEach((problem) => console.log(`  ${problem}`));
  return { passed, failed, problems };
});

const [passed, failed] = [sum(runs.map((run) => run.passed)), sum(runs.map((run) => run.failed))];
console.log(`${passed} passed, ${failed} failed`);
if (runs.length === 0 || failed > 0 || runs.some(({ problems }) => problems.length > 0)) process.exitCode = 1;

function reportsIn(folder) {
  return readdirSync(folder).map((name) => ({
    run: name.replace(".json", ""),
    testResults: JSON.parse(readFileSync(`${folder}/${name}`, "utf8")).testResults,
  }));
}

/** Adds up the files of each folder in `test/`; two of them run at the same time on two cores. */
function secondsBySuite(testResults) {
  const seconds = new Map();
  for (const { name, startTime, endTime } of testResults) {
    const suite = relative(".", name).split("/").slice(0, 2).join("/");
    seconds.set(suite, (seconds.get(suite) ?? 0) + (endTime - startTime) / 1000);
  }
  return [...seconds].toSorted(([, one], [, other]) => other - one);
}

function problemsOf(testResults) {
  const broken = testResults.filter((file) => file.status !== "passed");
  const idle = testResults.filter(
    ({ assertionResults: tests }) => count(tests, "passed") + count(tests, "failed") === 0,
  );
  return [...broken.map((file) => `${nameOf(file)}: failed`), ...idle.map((file) => `${nameOf(file)}: ran no test`)];
}

function nameOf(file) {
  return relative(".", file.name);
}

function count(tests, status) {
  return tests.filter((test) => test.status === status).length;
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
