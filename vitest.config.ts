import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: "100%",
    // Only what hangs is ended by the clock: how long a test takes says more about the machine than about us.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "reports/tests.json" }]] : ["default"],
  },
});
