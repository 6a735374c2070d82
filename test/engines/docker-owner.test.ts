import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runAlone } from "../contracts/run-alone.ts";
import { layout } from "../layout.ts";
import { needs } from "../programs.ts";
import { WHILE_BUSY } from "../work.ts";
import { needsEngine } from "./engine.ts";
import { bash, boundsOf, run, testEngine, testSandbox } from "./sandbox.ts";
import { IMAGE } from "./start-engine.ts";

const PROGRAM = "test/engines/fixtures/container-command.ts";

/** Returns the states of containers that closed a place in a root. */
const statesIn = async (root: string): Promise<readonly string[]> =>
  (await testEngine().list(["holdfast.owner"]))
    .filter(({ Labels }) => Labels["holdfast.mount-points"]?.includes(root))
    .map(({ State }) => State);

describe("containers of another process", () => {
  it("end when it is killed, and are removed by the next process", async () => {
    process.env["DOCKER_HOST"] = needsEngine();
    const root = layout(["a"]);
    const text = "echo up; while :; do date +%N > alive; done";
    const masked = [join(root, "deep/.env")];
    expect(() => runAlone(PROGRAM, { image: IMAGE, root, text, masked, until: "up" }, {})).toThrow("Command failed");
    await vi.waitFor(async () => expect(await statesIn(root)).not.toContain("running"), WHILE_BUSY);
    const last = readFileSync(join(root, "alive"), "utf8");
    const other = layout([]);
    await run(testSandbox(), bash(other, "true"), boundsOf(other));
    expect(await statesIn(root)).toEqual([]);
    expect(readdirSync(root)).toEqual(["a", "alive", "output"]);
    expect(readFileSync(join(root, "alive"), "utf8")).toBe(last);
  });

  it("stay while it runs", async () => {
    const [root, other] = [layout([]), layout([])];
    const sandbox = testSandbox();
    const bounds = boundsOf(root, { masked: [join(root, ".env")] });
    await run(sandbox, bash(root, "true"), bounds);
    runAlone(PROGRAM, { image: IMAGE, root: other, text: "true", masked: [] }, {});
    expect(await statesIn(root)).toEqual(["running"]);
  });
});

it("runs as the user of the process, without any right of process 1", () => {
  process.env["DOCKER_HOST"] = needsEngine();
  needs("setpriv");
  const root = layout([]);
  chmodSync(join(root, ".."), 0o755);
  chownSync(root, 1234, 1234);
  const through = ["setpriv", "--reuid", "1234", "--regid", "1234", "--groups", "0"];
  const text = `id -u; id -G; echo x > made; kill -9 1 && echo killed; cat /proc/1/environ && echo read
    grep CapEff /proc/self/status; (setsid sleep 66 &); exit 0`;
  const { output } = runAlone(PROGRAM, { image: IMAGE, root, text, masked: [] }, { through }) as { output: string };
  expect(output.replace(/.*(?:not permitted|denied)\n/g, "")).toBe("1234\n1234\nCapEff:\t0000000000000000\n");
  expect([statSync(join(root, "made")).uid, statSync(join(root, "made")).gid]).toEqual([1234, 1234]);
});
