import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "reports/tests.json" }]] : ["default"],
  },
});
