// The servers that run commands: the floor, and each build of ours without a sandbox and in bubblewrap.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bubblewrapWords, unshareWords } from "./command-words.mjs";
import { COMMANDS_GROUP } from "./commands.mjs";

/** Nothing asks; otherwise a call would wait for a person. */
const POLICY = { rules: [{ act: ["write", "move", "delete", "exec"], decide: "autonomous" }] };

/** Returns three servers for each build, with the same id: no workload runs on two of them. */
export function commandServers(floor, builds, { root, scratch, small }, state) {
  const project = [scratch, dirname(small[0])];
  return [
    { ...floor, group: COMMANDS_GROUP, operations: { ...reading(floor), ...floorOperations(scratch) } },
    ...builds.flatMap((build) => [
      commandServer(build, state, "none", project, PLAIN_OPERATIONS),
      commandServer(build, state, "bubblewrap", project, BOXED_OPERATIONS),
      commandServer(build, state, "bubblewrap", [root], INSTALLING_OPERATIONS),
    ]),
  ];
}

function commandServer(build, state, kind, roots, operations) {
  const config = join(state, `commands-${kind}.json`);
  writeFileSync(config, JSON.stringify({ tools: { exec: { sandbox: { kind } } }, policy: POLICY }));
  return {
    ...build,
    group: COMMANDS_GROUP,
    command: [...build.command.slice(0, 2), ...roots, "--exec", "full", "--config", config],
    operations: { ...reading(build), ...operations },
  };
}

/** The memory of a new process is taken after its first read. */
const reading = ({ operations: { read } }) => ({ read });

const PLAIN_OPERATIONS = { plain: ({ command }) => ["exec", { command }] };

const BOXED_OPERATIONS = {
  boxed: ({ command }) => ["exec", { command, undo: false }],
  printed: ({ command, yieldMs }) => ["exec", { command, undo: false, yield_ms: yieldMs }],
  viewed: ({ command, workdir }) => ["exec", { command, workdir }],
  leftOnView: ({ command, workdir }) => ["exec", { command, workdir, yield_ms: 0 }],
  // This is measured in a process of its own.
  jobs: () => [],
};

/** Installs from another part of the corpus, which the command has to see. */
const INSTALLING_OPERATIONS = {
  installed: ({ command, workdir }) => ["exec", { command, workdir, yield_ms: 0 }],
};

const floorOperations = (root) => ({
  plain: ({ command }) => ["spawn", { words: unshareWords([command]) }],
  boxed: ({ command }) => ["spawn", { words: bubblewrapWords(root, [command]) }],
  viewed: ({ command, workdir = root }) => ["spawn", { words: bubblewrapWords(workdir, [command]) }],
  installed: ({ counted }) => ["count", { path: counted }],
});
