import { once } from "node:events";
import { createInterface } from "node:readline";
import { Duplex } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { connectShell } from "../../../../src/exec/sandbox/docker/attached-shell.ts";
import { type ContainerSpec, createContainer } from "../../../../src/exec/sandbox/docker/container.ts";
import { connectEngine } from "../../../../src/exec/sandbox/docker/engine.ts";
import { createExistingContainer } from "../../../../src/exec/sandbox/docker/existing-container.ts";
import { scriptedEngine } from "./scripted-engine.ts";

it("a container that does not start is removed, and its connection is no error of the process", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  let attached: Duplex | undefined;
  const { socket, requests } = await scriptedEngine(async (request) => {
    if (request.endsWith("/attach")) return (stream) => (attached = stream);
    if (!request.endsWith("/start")) return 200;
    // An engine closes the streams of a process that it cannot start before it answers.
    attached?.end();
    if (attached) await once(attached.resume(), "close");
    return 400;
  });
  const spec = { image: "i", body: {}, plan: { shared: [], mounts: [], missing: [] } } as unknown as ContainerSpec;
  await expect(createContainer(connectEngine(socket), spec)).rejects.toThrow("it cannot");
  expect([unhandled, requests]).toEqual([
    [],
    ["POST /containers/create", "POST /containers/1/attach", "POST /containers/1/start", "DELETE /containers/1"],
  ]);
});

it("commands that start together in an existing container share one guard", async () => {
  const { socket, requests } = await scriptedEngine(async (request) =>
    request.startsWith("POST /exec") ? answerLines : 200,
  );
  vi.stubEnv("DOCKER_HOST", `unix://${socket}`);
  const container = { name: "c", directory: "/w", environment: {}, access: "ro" } as const;
  const sandbox = createExistingContainer(container, [{ host: "/h", container: "/w" }]);
  onTestFinished(() => sandbox.close?.());
  const command = { argv: ["true"], directory: "/h", environment: {} } as const;
  const bounds = {} as Parameters<typeof sandbox.start>[1];
  const start = () => sandbox.start(command, bounds, { input: "none", output: 1 });
  expect(await Promise.allSettled([start(), start()])).toEqual([
    { status: "rejected", reason: expect.objectContaining({ code: "denied" }) },
    { status: "rejected", reason: expect.objectContaining({ code: "denied" }) },
  ]);
  expect(requests).toEqual(["POST /containers/c/exec", "POST /exec/1/start"]);
});

/** Answers every request to a guard with nothing. */
const answerLines = (guard: Duplex): void =>
  void createInterface({ input: guard }).on("line", () => guard.write(frame(".\n")));

/** Wraps what a process prints as an engine does. */
function frame(text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = 1;
  header.writeUInt32BE(text.length, 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

describe("a shell that does not answer", () => {
  it("counts as ended, and does not keep this process alive", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let isHeld = true;
    const stream = Object.assign(new Duplex({ read() {}, write: (_, __, done) => done() }), {
      ref: () => void (isHeld = true),
      unref: () => void (isHeld = false),
    });
    const shell = connectShell(stream);
    const [asked] = await Promise.allSettled([shell.ask("mounts"), vi.advanceTimersByTimeAsync(LIMITS.engineMs)]);
    expect([asked, shell.isAlive(), isHeld]).toEqual([
      { status: "rejected", reason: expect.objectContaining({ code: "timeout" }) },
      false,
      false,
    ]);
  });
});
