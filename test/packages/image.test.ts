import { execFileSync } from "node:child_process";
import { chownSync, copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { needsEngine } from "../engines/engine.ts";
import { needs } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";
import { node24, talkTo } from "./talk.ts";

const [BASE, IMAGE] = ["holdfast-node:24", "holdfast-packaged:1"];
const MOST_BYTES = 140_000_000;
const USER = 1000;

it("the image is built without a network, and serves what is mounted with no rights at all", async () => {
  needs("strip");
  const env = { ...process.env, DOCKER_HOST: needsEngine(), DOCKER_BUILDKIT: "0" };
  const docker = (words: readonly string[], input?: Uint8Array): string =>
    execFileSync("docker", words, {
      env,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
      ...(input && { input }),
    });
  docker(["import", "-", BASE], baseImage(node24()));
  const build = [
    resolve("scripts/package/run.mjs"),
    "docker",
    IMAGE,
    "--build-arg",
    `BASE=${BASE}`,
    "--network",
    "none",
  ];
  execFileSync(process.execPath, build, { env, stdio: "ignore" });

  const [{ Size: size, Config: config }] = JSON.parse(docker(["image", "inspect", IMAGE])) as [
    { Size: number; Config: { User: string; Labels: object } },
  ];
  const { mcpName } = JSON.parse(readFileSync("package.json", "utf8")) as { mcpName: string };
  expect(size).toBeLessThanOrEqual(MOST_BYTES);
  expect(config).toMatchObject({
    User: `${USER}:${USER}`,
    Labels: { "io.modelcontextprotocol.server.name": mcpName },
  });

  const host = mountable({ "Desktop/a.txt": "one\n", "other/b.txt": "two\n", "file.txt": "three\n" });
  const mounts = [
    `type=bind,src=${host}/Desktop,dst=/projects/Desktop`,
    `type=bind,src=${host}/other,dst=/projects/other/allowed/dir,ro`,
    `type=bind,src=${host}/file.txt,dst=/projects/path/to/file.txt`,
  ].flatMap((mount) => ["--mount", mount]);
  const held = ["--read-only", "--cap-drop", "ALL", "--network", "none"];
  const run = ["docker", "run", "-i", "--rm", ...held, ...mounts, IMAGE, "/projects"];
  const { name, call } = await talkTo(run, { DOCKER_HOST: env.DOCKER_HOST });
  const onHost = (path: string): string => readFileSync(join(host, path), "utf8");

  expect(name).toBe("holdfast");
  expect(await call("session", {})).toContain("handle");
  expect(await call("read", { path: "/projects/other/allowed/dir/b.txt" })).toContain("two");
  expect(await call("write", { path: "other/allowed/dir/b.txt", content: "x" })).toContain("read-only");
  await call("edit", { path: "path/to/file.txt", oldText: "three", newText: "3" });
  expect(onHost("file.txt")).toBe("3\n");
  await call("undo", {});
  expect(onHost("file.txt")).toBe("three\n");
  await call("delete", { path: "Desktop/a.txt" });
  expect(() => onHost("Desktop/a.txt")).toThrow("ENOENT");
  await call("undo", {});
  expect(onHost("Desktop/a.txt")).toBe("one\n");
});

/** Returns a tree that the user of the image owns. */
function mountable(files: Readonly<Record<string, string>>): string {
  const host = scratch(files);
  for (const path of ["Desktop", "other", ...Object.keys(files)]) chownSync(join(host, path), USER, USER);
  return host;
}

/** Stands in for node:24-slim, which only a registry has: Node without symbols and the libraries that it loads. */
function baseImage(node: string): Uint8Array {
  const tree = scratch({ "etc/passwd": `node:x:${USER}:${USER}::/state:/bin/false\n` });
  const put = (from: string, to: string): void => {
    mkdirSync(join(tree, dirname(to)), { recursive: true });
    copyFileSync(from, join(tree, to));
  };
  put(node, "usr/local/bin/node");
  execFileSync("strip", [join(tree, "usr/local/bin/node")]);
  const libraries = execFileSync("ldd", [node], { encoding: "utf8" }).match(/(?<=\s)\/\S+/g) ?? [];
  for (const library of libraries) put(library, library);
  return execFileSync("tar", ["-C", tree, "-c", "."], { maxBuffer: MOST_BYTES * 2 });
}
