import { chmodSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectEngine } from "../../../../src/exec/sandbox/docker/engine.ts";
import { findEngineSocket } from "../../../../src/exec/sandbox/docker/engine-socket.ts";
import { layout } from "../../../layout.ts";

describe("the socket of a container engine", () => {
  it("is that of DOCKER_HOST, on this machine only", () => {
    expect(findEngineSocket({ DOCKER_HOST: "unix:///tmp/a.sock" })).toBe("/tmp/a.sock");
    for (const host of ["tcp://127.0.0.1:2375", "ssh://me@host", "unix://relative"])
      expect(() => findEngineSocket({ DOCKER_HOST: host })).toThrow("only unix sockets of this machine");
  });

  it("says that it is missing, or that nothing listens", async () => {
    const root = layout([]);
    const socket = join(root, "s");
    await expect(connectEngine(socket).info()).rejects.toMatchObject({
      code: "io",
      message: `Cannot reach the container engine at ${socket}: there is no such socket`,
      details: { hint: expect.stringContaining("DOCKER_HOST") },
    });
  });

  it("says that this user may not use it", async () => {
    const socket = join(layout([]), "s");
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    chmodSync(socket, 0);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.("nobody");
    const refused = connectEngine(socket)
      .info()
      .finally(() => isRoot && process.seteuid?.(0));
    await expect(refused).rejects.toThrow("this user may not use it");
  });

  it("may be answered by something else", async () => {
    const socket = join(layout([]), "s");
    const server = createServer((connection) => connection.end("HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nno\n"));
    await new Promise<void>((resolve) => void server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    await expect(connectEngine(socket).info()).rejects.toThrow("Cannot use the container engine: it answers 500");
  });
});
