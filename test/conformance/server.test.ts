import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { served } from "../faces/http/served.ts";
import { conformanceSuite } from "../programs.ts";
import { scratch, withTest } from "../runtime/scratch.ts";
import { listenWithToken, mountFixtures } from "./mount.ts";

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Runs the official suite. Returns the checks of each scenario. */
async function checksOf(revision: string, url: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const results = scratch();
  const words = ["server", "--url", url, "--requirements", revision, "-o", results];
  const [program, ...more] = [...conformanceSuite(), ...words];
  const child = spawn(program, more, { stdio: ["ignore", "pipe", "pipe"] });
  await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return new Map(
    readdirSync(results).map((folder) => [
      /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder,
      JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")) as Check[],
    ]),
  );
}

/** Counts what passed in some scenarios, and lists what did not. */
function reportOf(checks: ReadonlyMap<string, readonly Check[]>, isOurs: (scenario: string) => boolean) {
  const ours = [...checks].filter(([scenario]) => isOurs(scenario));
  const all = ours.flatMap(([scenario, found]) => found.map((check) => ({ scenario, ...check })));
  const wrong = all.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  return {
    wrong: wrong.map(({ scenario, id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`),
    scenarios: ours.length,
    passed: all.filter(({ status }) => status === "SUCCESS").length,
  };
}

/** Leaves out what MCP calls extensions: we serve no tasks and no skills. */
const isRequired = (scenario: string): boolean => !/^(tasks-|sep-2640-)/.test(scenario);

describe("the fixtures of the suite, served by our HTTP server", () => {
  it.each([
    { revision: "2025-11-25", scenarios: 33, passed: 84 },
    { revision: "2026-07-28", scenarios: 40, passed: 151 },
  ])("conform to $revision", async ({ revision, ...counts }) => {
    const checks = await checksOf(revision, await mountFixtures(withTest));
    expect(reportOf(checks, isRequired)).toEqual({ wrong: [], ...counts });
  });
});

describe("Holdfast itself, where a scenario needs no fixture", () => {
  const NEEDS_NOTHING = [
    "completion-complete",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "logging-set-level",
    "ping",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "tools-call-error",
    "tools-list",
  ];

  it.each([
    { revision: "2025-11-25", scenarios: 10, passed: 23 },
    { revision: "2026-07-28", scenarios: 9, passed: 33 },
  ])("conforms to $revision", async ({ revision, ...counts }) => {
    const { fetch, token } = await served(scratch({ "a.txt": "one\n" }));
    const checks = await checksOf(revision, await listenWithToken(fetch, token, withTest));
    expect(reportOf(checks, (scenario) => NEEDS_NOTHING.includes(scenario))).toEqual({ wrong: [], ...counts });
  });
});
