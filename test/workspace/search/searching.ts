import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnProgram } from "../../../src/exec/spawn.ts";
import { createLocalStorage } from "../../../src/storage/local/local.ts";
import { isBlockedAtPipe } from "../../../src/storage/local/blocked-at-pipe.ts";
import { createRipgrepSearcher } from "../../../src/workspace/search/ripgrep/ripgrep.ts";
import { builtinSearcher } from "../../../src/workspace/search/builtin-searcher.ts";
import type { Searcher } from "../../../src/workspace/view.ts";
import type { View, AccessCallbacks } from "../../../src/workspace/view.ts";
import { viewOn } from "../viewing.ts";

/** Creates a searcher that uses ripgrep, with the built-in searcher as its default fallback. */
export const ripgrepSearcher = (fallback: Searcher = builtinSearcher, find = packagedRipgrep): Searcher =>
  createRipgrepSearcher({ spawn: spawnProgram, find, isBlockedOnPipe: isBlockedAtPipe, smallBytes: 0, fallback });

export const packagedRipgrep = async (): Promise<string> => (await import("@vscode/ripgrep")).rgPath;

/** Writes a shell script that takes the place of ripgrep. */
export const impostor = (root: string, script: string): (() => Promise<string>) => impostorBy("/bin/sh", root, script);

/** Writes it in JavaScript, for tasks that a shell cannot do without other programs. */
export const impostorInNode = (root: string, script: string): (() => Promise<string>) =>
  impostorBy(process.execPath, root, script);

function impostorBy(interpreter: string, root: string, script: string): () => Promise<string> {
  const path = join(root, ".impostor");
  writeFileSync(path, `#!${interpreter}\n${script}\n`);
  chmodSync(path, 0o755);
  return async () => path;
}

/** Creates a view of a real directory with this searcher. */
export const searchingView = (root: string, searcher: Searcher, callbacks: Partial<AccessCallbacks> = {}): View =>
  viewOn(createLocalStorage([root]), [{ given: root, real: root }], callbacks, searcher);
