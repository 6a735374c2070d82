#!/usr/bin/env node
// Becomes dist/holdfast.cjs: runs the program with the code that V8 compiled when it was built. Without such code, or
// when V8 rejects it for its flags, the source is compiled as usual.
import { readFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname, join } from "node:path";
import vm from "node:vm";
import { SEAL, sealOf } from "./seal.mjs";

const file = join(__dirname, "chunks/START.cjs");
const require = createRequire(file);
const program = new Module(file);
program.loaded = true;
require.cache[file] = program;
scriptOf(file).runInThisContext()(program.exports, require, program, file, dirname(file));

function scriptOf(filename) {
  const source = readFileSync(filename);
  const cachedData = codeFor(source, filename.replace(/cjs$/, "cache"));
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new vm.Script(source.toString("latin1"), { filename, cachedData, importModuleDynamically });
}

function codeFor(source, cache) {
  try {
    const kept = readFileSync(cache);
    const code = kept.subarray(SEAL);
    return sealOf(source, code).equals(kept.subarray(0, SEAL)) ? code : undefined;
  } catch {
    return undefined;
  }
}
