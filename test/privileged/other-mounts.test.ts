import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import type { SafePath } from "../../src/storage/storage.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import { codeOf } from "../../src/testing/picture.ts";
import { layout } from "../layout.ts";
import { JAILS } from "../storage/jails.ts";
import { WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { needsOwnMounts } from "../programs.ts";

/** Mounts, in a namespace of its own, another root at the root's path, with an outside file bound into it. */
const IMPOSTOR = `
  mount -t tmpfs none "$1" && mkdir "$1/x" && touch "$1/x/secret" && mkdir "$1/x/d"
  mount --bind "$2/secret" "$1/x/secret" && mount --bind "$2" "$1/x/d" && echo ready && exec sleep 3600`;

it.each(JAILS)("does not believe a path that another process's mounts forge, $name", async ({ jail }) => {
  const root = layout(["inside", "../outside/secret = the secret"]);
  const pid = await impostor(root, join(root, "../outside"));
  symlinkSync(`/proc/${pid}/root${root}/x`, join(root, "x"));
  const storage = createLocalStorage([root], jail);
  const at = (way: string) => join(root, way) as SafePath;
  const outcomes = async () => [
    await storage.withFile(at("x/secret"), async () => "read").catch(codeOf),
    await storage.withDirectory(at("x/d"), async () => "listed").catch(codeOf),
    await storage.stat(at("x/secret"), "follow").catch(codeOf),
    await storage.withFile(at("inside"), async () => "read").catch(codeOf),
  ];
  const expected = ["outside_workspace", "outside_workspace", "outside_workspace", "read"];
  expect(await outcomes()).toEqual(expected);
  // Repeats it under other descriptor numbers, and under the first ones again.
  const others = Array.from({ length: 3 }, () => openSync(root, "r"));
  expect(await outcomes()).toEqual(expected);
  others.forEach((fd) => closeSync(fd));
  expect(await outcomes()).toEqual(expected);
});

async function impostor(root: string, outside: string): Promise<number> {
  needsOwnMounts(WITH_OWN_MOUNTS);
  const [command, ...words] = [...WITH_OWN_MOUNTS, "sh", "-c", IMPOSTOR, "sh", root, outside];
  const child = spawn(command, words, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  expect(line).toBe("ready");
  return child.pid as number;
}
