// Reads vitest's report and closes with "N passed, N failed". Fails when a test failed, a file ran none, or none ran.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const { testResults } = JSON.parse(readFileSync("reports/tests.json", "utf8"));
const count = (tests, status) => tests.filter((test) => test.status === status).length;
const tests = testResults.flatMap((file) => file.assertionResults);
const [passed, failed] = [count(tests, "passed"), count(tests, "failed")];
const brokenFiles = testResults
  .filter((file) => file.status !== "passed")
  .map((file) => `${relative(".", file.name)}: failed`);
const idleFiles = testResults.filter(ranNothing).map((file) => `${relative(".", file.name)}: ran no test`);

const problems = [...brokenFiles, ...idleFiles, ...(passed + failed === 0 ? ["No test ran"] : [])];
problems.forEach((problem) => console.log(problem));
console.log(`${testResults.length} files, ${tests.length - passed - failed} tests skipped`);
console.log(`${passed} passed, ${failed} failed`);
if (problems.length > 0 || failed > 0) process.exitCode = 1;

function ranNothing({ assertionResults }) {
  return count(assertionResults, "passed") + count(assertionResults, "failed") === 0;
}
