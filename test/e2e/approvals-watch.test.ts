import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { needs } from "../programs.ts";
import { stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { bareEnv, BIN } from "./bin.ts";
import { workplace } from "./waiting-workplace.ts";
import { openGreeted, toolCall } from "./wire.ts";

/** The watcher on a terminal that `script` makes: types a line at each prompt, and a key once nothing waits any more. */
async function watchOnTerminal(place: ReturnType<typeof workplace>, types: readonly string[], endsBy: string) {
  const words = ["exec", process.execPath, BIN, "approvals", "watch", ...place.args];
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(place.root) });
  const child = spawn("script", ["-qec", words.join(" "), "/dev/null"], { cwd: place.root, env });
  const answers = [...types];
  let [out, handled] = ["", 0];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    const prompts = out.split("[n]o: ").length - 1;
    if (prompts > handled) child.stdin.write(answers[handled++] ?? endsBy);
    else if (handled > 0 && out.trimEnd().endsWith("No pending approvals")) child.stdin.write(endsBy);
  });
  const [code] = await once(child, "close");
  return { code, out };
}

/** An agent that waits for a yes to delete a file. */
async function waitForYes(place: ReturnType<typeof workplace>): Promise<void> {
  needs("script");
  const wire = await openGreeted(place.root, { args: [...place.args, "--approval-wait", "0"] });
  wire.say(toolCall(1, "delete", { path: "a.txt" }));
  await wire.answer(1);
}

describe("watching on a terminal", () => {
  it.each([
    { types: "o\n", says: /Allowed \w+: delete; once: it happens now, or when its call is repeated/ },
    { types: "s\n", says: /Allowed \w+: delete; for this session, once its call continues or is repeated/ },
    { types: "n\n", says: /Denied \w+: delete; the model is told that you denied it/ },
    { types: "n too early\n", says: /Denied \w+: delete; the model is told: too early/ },
  ])("confirms $types, says that nothing waits, and ends with Ctrl-C", async ({ types, says }) => {
    const place = workplace();
    await waitForYes(place);
    const { code, out } = await watchOnTerminal(place, [types], "\u0003");
    expect(out).toMatch(says);
    expect([code, out.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      expect.stringMatching(/Stopped watching; no pending approvals\r?$/),
    ]);
  });

  it.each([
    { name: "Ctrl-C", key: "\u0003" },
    { name: "Ctrl-D", key: "\u0004" },
  ])("$name at a question leaves it open and ends the watch", async ({ key }) => {
    const place = workplace();
    await waitForYes(place);
    const { code, out } = await watchOnTerminal(place, [], key);
    expect([code, out]).toEqual([0, expect.stringContaining("Stopped watching; 1 approval still pending")]);
    expect(place.isThere()).toBe(true);
  });
});

it("watching ends well when it is told to, and says that nothing waits", async () => {
  const { root, args } = workplace();
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
  const watcher = spawn(process.execPath, [BIN, "approvals", "watch", ...args], { cwd: root, env });
  let messages = "";
  watcher.stderr.setEncoding("utf8").on("data", (text: string) => {
    messages += text;
    if (messages.endsWith("No pending approvals\n")) watcher.kill("SIGTERM");
  });
  expect(await once(watcher, "close")).toEqual([0, null]);
  expect(messages).toContain("Stopped watching; no pending approvals");
});

it("watching tells of every question once, as it comes", async () => {
  const { root, args } = workplace();
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
  const watcher = spawn(process.execPath, [BIN, "approvals", "watch", ...args], { cwd: root, env });
  onTestFinished(() => void watcher.kill());
  await expect(once(watcher.stderr, "data").then(String)).resolves.toMatch(
    /^holdfast: Waiting for approvals of all agents; press Ctrl-C to stop$/m,
  );
  const said: string[] = [];
  watcher.stdout.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const wire = await openGreeted(root, { args: [...args, "--approval-wait", "0"] });
  for (const [nth, path] of ["a.txt", "keep.txt"].entries()) {
    wire.say(toolCall(nth, "delete", { path }));
    await wire.answer(nth);
    await vi.waitFor(() => expect(said.join("").match(/^approval /gm)).toHaveLength(nth + 1), WHILE_BUSY);
  }
  expect(said.join("")).toContain(`delete ${join(root, "keep.txt")} (1 file, 1 byte)`);
});
