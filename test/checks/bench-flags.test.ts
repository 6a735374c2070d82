import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

/** The benchmark with these flags, which end it before it measures anything. */
function bench(...flags: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["bench/run.mjs", ...flags], { encoding: "utf8" });
  return { status, stdout, stderr };
}

it.each(["--help", "-h"])("%s says which flags, workloads and bounds there are", (flag) => {
  const { status, stdout, stderr } = bench(flag);
  expect([status, stderr]).toEqual([0, ""]);
  for (const part of [
    "--quick",
    "--only <id,…>",
    "--beside <folder>",
    "--crowd",
    "--commands",
    "--no-peers",
    "--strict",
    "A bound is",
    "MISSED",
  ])
    expect(stdout).toContain(part);
  expect(stdout).toMatch(/^ {2}start +cold start: .*; at most 2\.00 x floor; at most 0\.50 x reference$/m);
  expect(stdout).toMatch(/^ {2}notice .*; at most 60 ms$/m);
  expect(stdout).toMatch(/^ {2}exec_bwrap .*; at most floor \+ 8 ms$/m);
});

it.each([
  {
    flags: ["--qiuck"],
    says: "bench: Cannot read the command line: Unknown option '--qiuck'; there are --quick, --only, --beside, --crowd, --commands, --http, --compare, --images, --documents, --no-peers, --strict, --help\n",
  },
  {
    flags: ["--only"],
    says: "bench: Cannot read the command line: Option '--only <value>' argument missing; there are --quick, --only, --beside, --crowd, --commands, --http, --compare, --images, --documents, --no-peers, --strict, --help\n",
  },
  {
    flags: ["read"],
    says: "bench: Cannot read the command line: Unexpected argument 'read'; there are --quick, --only, --beside, --crowd, --commands, --http, --compare, --images, --documents, --no-peers, --strict, --help\n",
  },
])("a mistake is told in a line: $flags", ({ flags, says }) => {
  expect(bench(...flags)).toEqual({ status: 2, stdout: "", stderr: says });
});

it("names the workloads there are when one is not known", () => {
  const { status, stderr } = bench("--only", "read,raed");
  expect(status).toBe(2);
  expect(stderr).toMatch(/^bench: Cannot measure "raed": there is no such workload; there are start, read, .*\n$/);
});

it("refuses to measure a folder without a build", () => {
  expect(bench("--beside", "docs")).toEqual({
    status: 2,
    stdout: "",
    stderr: 'bench: Cannot measure "docs": it has no dist/holdfast.cjs; build it there first\n',
  });
});
