import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "reports/tests.json" }]] : ["default"],
  },
});
