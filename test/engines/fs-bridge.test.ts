import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentTool, createTools } from "../../src/index.ts";
import { createScriptRunner } from "../../src/exec/sandbox/docker/container-scripts.ts";
import { containerStorage, type RunScript } from "../../src/storage/bridge/container-objects.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { hostilePathsSuite } from "../../src/testing/hostile-paths.ts";
import { OBJECT_ROOT } from "../../src/testing/objects/change-set-fixture.ts";
import { storageSuite } from "../../src/testing/storage.ts";
import { treeEntries } from "../../src/testing/tree.ts";
import { needsEngine } from "./engine.ts";
import { testEngine } from "./sandbox.ts";
import { IMAGE } from "./start-engine.ts";

const NAME = `holdfast-files-${process.pid}`;
let run: RunScript;
let lastRoot = 0;

/** A container of a builder, with files of its own. */
beforeAll(async () => {
  process.env["DOCKER_HOST"] = needsEngine();
  const body = { Image: IMAGE, Cmd: ["sleep", "3600"], User: "1000:1000", HostConfig: { NetworkMode: "none" } };
  await testEngine().create(NAME, body);
  await testEngine().start(NAME);
  run = createScriptRunner({ name: NAME, environment: {} });
});

afterAll(() => testEngine().remove(NAME));

/** Plants a tree below a new directory of the container before the first script runs there. */
function planted(tree: readonly string[]): { readonly directory: string; readonly run: RunScript } {
  const directory = `/tmp/${++lastRoot}/ROOT`;
  const lines = treeEntries(tree, directory).map((entry) => {
    const path = `${directory}/${entry.path}`;
    if (entry.kind === "directory") return `mkdir -p ${quoted(path)}`;
    const above = quoted(path.slice(0, path.lastIndexOf("/")));
    const make = entry.kind === "link" ? `ln -s ${quoted(entry.target)}` : `printf %s ${quoted(entry.text)} >`;
    return `mkdir -p ${above}; ${make} ${quoted(path)}`;
  });
  let ready: Promise<unknown> | undefined;
  return {
    directory,
    async run(...words) {
      ready ??= run(`mkdir -p '${directory}'\n${lines.join("\n")}`, []);
      await ready;
      return run(...words);
    },
  };
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function storageOf(tree: readonly string[], root: string) {
  const made = planted(tree);
  return containerStorage(made.run, made.directory).mount(root);
}

storageSuite({ describe, it }, { symlinks: false, permissions: false, containment: "object-store" }, (tree) =>
  storageOf(tree, OBJECT_ROOT),
);

hostilePathsSuite({ describe, it }, { name: "container", symlinks: false }, (tree) => storageOf(tree, "/up/ROOT"));

const toolsFor = (containerWorkdir: string, containerName = NAME) => {
  const sandbox = { enabled: true, workspaceAccess: "rw" as const, containerName, containerWorkdir };
  const tools = createTools({ sandbox });
  return async (name: string, words: object): Promise<string> => {
    const { content } = await (tools.find((tool) => tool.name === name) as AgentTool).execute("1", words);
    return content.map((block) => ("text" in block ? block.text : block.type)).join("\n");
  };
};
const shell = async (text: string): Promise<string> => (await run(text, [])).output.toString();

describe("tools on the files of a container", () => {
  it("read, write, edit, delete and undo", async () => {
    const { directory, run: plant } = planted(["src/a.ts = const one;", "run.sh = exit 1"]);
    await plant(`chmod 755 ${directory}/run.sh`, []);
    const call = toolsFor(directory);
    expect(await call("read", { path: "src/a.ts" })).toContain("const one;");
    await call("edit", { path: "run.sh", edits: [{ oldText: "1", newText: "0" }] });
    await call("write", { path: 'deep/er/it\'s "b" $x.ts', content: "new\n" });
    await call("delete", { path: "src", recursive: true });
    expect(await shell(`cd ${directory}; find . | sort; cat run.sh; stat -c %a run.sh; cat deep/er/*`)).toBe(
      `.\n./deep\n./deep/er\n./deep/er/it's "b" $x.ts\n./run.sh\nexit 0755\nnew\n`,
    );
    await call("undo", {});
    expect(await shell(`cat ${directory}/src/a.ts`)).toBe("const one;");
    await call("undo", {});
    await call("undo", {});
    expect(await shell(`cd ${directory}; find . -type f | sort; cat run.sh`)).toBe("./run.sh\n./src/a.ts\nexit 1");
    await call("mkdir", { path: "made/deep" });
    expect(await shell(`ls -d ${directory}/made/deep`)).toBe(`${directory}/made/deep\n`);
    await call("undo", {});
    expect(await shell(`ls ${directory}`)).toBe("run.sh\nsrc\n");
  });

  it("see what a command changed meanwhile, and do not overwrite it", async () => {
    const { directory, run: plant } = planted(["a = one"]);
    await plant("true", []);
    const call = toolsFor(directory);
    await call("read", { path: "a" });
    await shell(`printf 'two' > ${directory}/a`);
    await expect(call("edit", { path: "a", edits: [{ oldText: "one", newText: "x" }] })).rejects.toThrow("a");
    expect(await shell(`cat ${directory}/a`)).toBe("two");
  });

  it("follow no link, in any place", async () => {
    const { directory, run: plant } = planted(["dir/a", "to-file => dir/a", "to-dir => dir", "out => /etc"]);
    await plant("true", []);
    const call = toolsFor(directory);
    for (const path of ["to-file", "to-dir/a", "out/passwd"]) {
      await expect(call("read", { path })).rejects.toThrow(/Cannot/);
      await expect(call("write", { path, content: "x" })).rejects.toThrow(/Cannot/);
    }
    await expect(call("write", { path: "to-dir/new/deep", content: "x" })).rejects.toThrow(/Cannot/);
    expect(await shell(`cd ${directory}; find . | sort; cat dir/a`)).toBe(
      "./dir\n./dir/a\n./out\n./to-dir\n./to-file\ndir/a".replace(/^/, ".\n"),
    );
  });

  it("show names of any kind", async () => {
    const { directory, run: plant } = planted(["a\nb", "d/c|d\ne", "-n", "* $x"]);
    await plant("true", []);
    const entries = await containerStorage(run, directory)
      .mount("//x")
      .withDirectory("//x" as SafePath, async (top) =>
        (await top.entries()).map(({ name, kind }) => `${name} ${kind}`),
      );
    expect(entries.toSorted()).toEqual(["* $x file", "-n file", "a\nb file", "d directory"]);
    expect(await toolsFor(directory)("read", { path: "d/c|d\ne" })).toContain("d/c|d");
    await expect(toolsFor("/tmp/none")("ls", {})).rejects.toThrow("the directory of the workspace is not there");
  });

  it("say that the container is gone", async () => {
    await expect(toolsFor("/tmp", "nobody-has-it")("read", { path: "a" })).rejects.toThrow(
      /Cannot use the container engine: .*no such container/i,
    );
  });
});
