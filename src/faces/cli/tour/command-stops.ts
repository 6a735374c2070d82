import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { ask, type DemoAnswer, fileHasText, type NotShown, stopOf, type TourStop } from "./stop.ts";

/**
 * Prepares a project in the workspace, and returns what goes wrong in it, each followed by its undo. Commands make the
 * repository, so that a program that does not run in the sandbox is noticed before anything depends on it.
 */
export async function commandStops(client: Client, workspace: string): Promise<readonly (TourStop | NotShown)[]> {
  const { data, isError, text } = await ask(client, "exec", { command: "true" });
  if (isError) return [{ notShown: `Not shown: ${text.split("\n")[0]}` }];
  if (data["undo"] !== "overlay") return [NO_VIEW];
  writeProject(join(workspace, PROJECT));
  const hasGit = await runs(client, MAKE_REPOSITORY);
  writeFileSync(join(workspace, PROJECT, SOURCE), WORK);
  const hasNpm = await runs(client, "npm --version");
  const isAsBefore = treeCheck(workspace);
  return [
    ...removalStops(workspace, isAsBefore),
    ...(hasGit ? resetStops(workspace, isAsBefore) : [missing("git")]),
    ...(hasNpm ? installStops(workspace, isAsBefore) : [missing("npm")]),
  ];
}

const NO_VIEW: NotShown = {
  notShown:
    "Not shown: commands work on the files themselves here, so that nothing could be taken back; " +
    "holdfast doctor says how to change that",
};

const missing = (program: string): NotShown => ({ notShown: `Not shown: ${program} does not run here` });

const PROJECT = "shop";
const SOURCE = "cart.js";
const COMMITTED = "export const total = 0;\n";
const WORK = `${COMMITTED}// A day of work that is not committed yet.\n`;

const MAKE_REPOSITORY =
  "git init -q && git add . && " +
  "git -c user.name=Ada -c user.email=ada@example.org -c commit.gpgsign=false commit -qm 'Open the shop'";

/** From version 12 on, npm runs only install scripts that are listed. */
const PACKAGE = { name: PROJECT, version: "1.0.0", allowScripts: { "file:tidy": true } };

/** Writes a project beside a package whose install script removes too much. */
function writeProject(project: string): void {
  mkdirSync(join(project, "tidy"), { recursive: true });
  writeFileSync(join(project, SOURCE), COMMITTED);
  writeFileSync(join(project, ".npmrc"), "offline=true\naudit=false\nfund=false\nignore-scripts=false\n");
  writeFileSync(join(project, "package.json"), JSON.stringify(PACKAGE));
  const scripts = { postinstall: "node tidy.js" };
  writeFileSync(join(project, "tidy", "package.json"), JSON.stringify({ name: "tidy", version: "1.0.0", scripts }));
  writeFileSync(join(project, "tidy", "tidy.js"), `require("node:fs").rmSync("../${SOURCE}");\n`);
}

async function runs(client: Client, command: string): Promise<boolean> {
  const { data } = await ask(client, "exec", { command, workdir: PROJECT });
  return data["exit_code"] === 0;
}

function removalStops(workspace: string, isAsBefore: TourStop["holds"]): readonly TourStop[] {
  return [
    commandStop({
      says: "rm -rf of everything",
      input: { command: "rm -rf *" },
      holds: () => readdirSync(workspace).length === 0,
      lines: 3,
    }),
    undoStop("… and all of it is back, byte for byte", isAsBefore),
  ];
}

function resetStops(workspace: string, isAsBefore: TourStop["holds"]): readonly TourStop[] {
  const status = { command: "git --no-optional-locks status --short", workdir: PROJECT };
  return [
    commandStop({
      says: "git reset --hard over a day of work",
      input: { command: "git reset --hard", workdir: PROJECT },
      holds: fileHasText(workspace)(join(PROJECT, SOURCE), COMMITTED),
      lines: 3,
    }),
    undoStop("… and the work is back", isAsBefore),
    stopOf({
      says: "… as git says",
      tool: "exec",
      input: status,
      holds: ({ data }) => data["output"] === ` M ${SOURCE}\n`,
    }),
  ];
}

function installStops(workspace: string, isAsBefore: TourStop["holds"]): readonly TourStop[] {
  return [
    commandStop({
      says: "npm install of a package that deletes the sources",
      input: { command: "npm install ./tidy", workdir: PROJECT },
      holds: () => !readdirSync(join(workspace, PROJECT)).includes(SOURCE),
      lines: 4,
    }),
    undoStop("… and it is as if it had never run", isAsBefore),
  ];
}

/** Shows what a command changed instead of what it printed, without what git notes for itself. */
function commandStop(stop: Omit<Parameters<typeof stopOf>[0], "tool">): TourStop {
  const { act, ...rest } = stopOf({ ...stop, tool: "exec" });
  return { ...rest, act: async (clients) => showingChanges(await act(clients)) };
}

function showingChanges(answer: DemoAnswer): DemoAnswer {
  const { changes } = answer.data as { readonly changes?: readonly string[] };
  return changes ? { ...answer, text: changes.filter((change) => !change.includes("/.git/")).join("\n") } : answer;
}

const undoStop = (says: string, isAsBefore: TourStop["holds"]): TourStop =>
  stopOf({ says, tool: "undo", input: {}, holds: isAsBefore });

/** Returns a check that every entry has the type, the mode and the bytes that it has now. */
function treeCheck(workspace: string): TourStop["holds"] {
  const before = treeOf(workspace);
  return () => treeOf(workspace) === before;
}

const treeOf = (directory: string): string =>
  pathsBelow(directory)
    .toSorted()
    .map((path) => `${path} ${lstatSync(path).mode} ${contentOf(path)}`)
    .join("\n");

/** Follows no link, as a recursive `readdirSync` of Node 22 does: one of them leads out of the workspace. */
const pathsBelow = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
  });

function contentOf(path: string): string {
  const facts = lstatSync(path);
  if (facts.isSymbolicLink()) return readlinkSync(path);
  return facts.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
}
