import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { bareEnv, BIN } from "./bin.ts";
import { stateBeside } from "../runtime/scratch.ts";
import { changeBy, workplace } from "./workplace.ts";

it.each([["history"], ["ls"], ["read", "a.txt"], ["--help"], ["jobs"], ["tools"]])(
  "ends quietly when nobody reads its output: %s %s",
  async (...words) => {
    const { root, agent } = workplace();
    await changeBy(agent, "write", { path: "new.txt", content: "new\n" });
    const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
    const child = spawn(process.execPath, [BIN, ...words.filter(Boolean)], { cwd: root, env });
    child.stdout.destroy();
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect([code, err]).toEqual([0, ""]);
  },
);
