import { defineConfig } from "vitest/config";

/** Folders whose tests work on the disk for long, start processes, kill, race or need rights. All others are quick. */
const SLOW = [
  "attack",
  "checks",
  "clients",
  "conformance",
  "console",
  "crash",
  "e2e",
  "engines",
  "examples",
  "exec",
  "packages",
  "privileged",
  "processes",
  "races",
  "storage",
  "stress",
  "workspace",
];

/** A machine that is busy takes five times as long. A crash test recovers hundreds of times: up to 15 s on an idle one. */
const MINUTE = 60_000;

const filesIn = (folder: string): string => `test/${folder}/**/*.test.ts`;

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: MINUTE,
    hookTimeout: MINUTE,
    setupFiles: ["test/watchdog.ts"],
    reporters: process.env["CI"] ? ["default", "json"] : ["default"],
    outputFile: { json: "reports/tests.json" },
    projects: [
      { extends: true, test: { name: "quick", include: [filesIn("**")], exclude: SLOW.map(filesIn), isolate: false } },
      ...SLOW.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [filesIn(name)],
          testTimeout: name === "crash" || name === "packages" ? 2 * MINUTE : MINUTE,
          ...((name === "engines" || name === "packages") && { globalSetup: "test/engines/start-docker.ts" }),
        },
      })),
      {
        extends: true,
        test: { name: "podman", include: [filesIn("engines")], globalSetup: "test/engines/start-podman.ts" },
      },
    ],
  },
});
