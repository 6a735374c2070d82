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

/** ripgrep, with nobody to step in for it unless told so. */
export const ripgrepSearcher = (otherwise: Searcher = builtinSearcher, find = packagedRipgrep): Searcher =>
  createRipgrepSearcher({ spawn: spawnProgram, find, isBlockedOnPipe: isBlockedAtPipe, fallback: otherwise });

export const packagedRipgrep = async (): Promise<string> => (await import("@vscode/ripgrep")).rgPath;

/** A program in ripgrep's place. */
export const impostor = (root: string, script: string): (() => Promise<string>) => impostorBy("/bin/sh", root, script);

/** The same in JavaScript, for what a shell cannot do without other programs. */
export const impostorInNode = (root: string, script: string): (() => Promise<string>) =>
  impostorBy(process.execPath, root, script);

function impostorBy(interpreter: string, root: string, script: string): () => Promise<string> {
  const path = join(root, ".impostor");
  writeFileSync(path, `#!${interpreter}\n${script}\n`);
  chmodSync(path, 0o755);
  return async () => path;
}

/** A view of a real directory that searches in this way. */
export const searchingView = (root: string, searcher: Searcher, viewer: Partial<AccessCallbacks> = {}): View =>
  viewOn(createLocalStorage([root]), [{ given: root, real: root }], viewer, searcher);
