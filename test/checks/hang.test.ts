import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { plant } from "./script.ts";

it.each([
  { name: "waits", ends: "() => new Promise(() => {})", says: "hang.test.mjs > hangs" },
  { name: "blocks", ends: "() => { for (;;); }", says: "HANGS: hang.test.mjs > hangs" },
])("a test that $name for ever is ended and named", ({ ends, says }) => {
  const settings = {
    test: { globals: true, testTimeout: 500, pool: "forks", setupFiles: [resolve("test/watchdog.ts")] },
  };
  const root = plant({
    "vitest.config.mjs": `export default ${JSON.stringify(settings)};\n`,
    "hang.test.mjs": `it("hangs", ${ends});\n`,
  });
  const command = [resolve("node_modules/vitest/vitest.mjs"), "run", "--root", root];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    encoding: "utf8",
  });
  expect({ status, output: stdout + stderr }).toEqual({ status: 1, output: expect.stringContaining(says) });
});
