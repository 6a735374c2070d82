import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bareEnv, BIN } from "../e2e/bin.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

/** Returns the blocks of a page that are in this language. What a person has to do is in blocks of plain text. */
export const blocksOf = (file: string, language: string): readonly string[] =>
  [...readFileSync(file, "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = ""]) => text);

/** A directory for a newcomer, whose home is beside it, with `holdfast` on the PATH. */
export function newcomer(files: Readonly<Record<string, string>> = {}) {
  const root = scratch(files);
  const programs = join(dirname(root), "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "holdfast"), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`, { mode: 0o755 });
  const PATH = `${programs}:${process.env["PATH"]}`;
  return { root, env: bareEnv({ PATH, HOME: dirname(root), HOLDFAST_STATE: stateBeside(root) }) };
}

/** Makes a directory a project that has Holdfast, and what it is made of, among its packages. */
export function withPackage(project: string): void {
  const packages = join(project, "node_modules");
  mkdirSync(packages, { recursive: true });
  symlinkSync(resolve("."), join(packages, "holdfast"));
  symlinkSync(resolve("node_modules/zod"), join(packages, "zod"));
}
