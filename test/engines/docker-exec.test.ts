import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createHoldfast } from "../../src/index.ts";
import { layout } from "../layout.ts";
import { stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { needsEngine } from "./engine.ts";
import { ownContainers } from "./sandbox.ts";
import { IMAGE } from "./start-engine.ts";

it.each(["full", "allowlist"] as const)(
  "exec runs in a container of the session, with security %s",
  async (security) => {
    process.env["DOCKER_HOST"] = needsEngine();
    const root = layout(["sub/a = one", ".env = KEY=1"]);
    const options = { roots: [root], stateDirectory: stateBeside(root) };
    const holdfast = createHoldfast({ ...options, exec: { security, sandbox: { kind: "docker", image: IMAGE } } });
    onTestFinished(() => holdfast.close());
    const { text, data } = await holdfast.call("exec", { command: "pwd; cat a", workdir: "sub" });
    expect(text).toContain(`${root}/sub\none`);
    expect(data).toMatchObject({ exit_code: 0, undo: "picture" });
    expect(await ownContainers()).toHaveLength(1);
    holdfast.close();
    await vi.waitFor(async () => expect(await ownContainers()).toEqual([]), WHILE_BUSY);
  },
);

it("undo takes back what a command in a container changed in a root", async () => {
  process.env["DOCKER_HOST"] = needsEngine();
  const root = layout(["sub/a = one"]);
  const sandbox = { kind: "docker", image: IMAGE } as const;
  const holdfast = createHoldfast({
    roots: [root],
    stateDirectory: stateBeside(root),
    exec: { security: "full", sandbox },
  });
  onTestFinished(() => holdfast.close());
  const { data } = await holdfast.call("exec", { command: "rm -r sub" });
  expect(data["changes"]).toEqual(["deleted sub (1 file, 3 bytes)"]);
  await holdfast.call("undo", {});
  expect(readFileSync(join(root, "sub/a"), "utf8")).toBe("one");
});
