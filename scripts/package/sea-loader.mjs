// Starts the program inside a single executable. The program is an asset and no script of its own, because `import()` of
// plugins and native packages, which are looked up beside the executable, works only in what node:vm runs.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { getAsset } from "node:sea";
import vm from "node:vm";

const filename = process.execPath;
const require = createRequire(filename);

// The program starts helpers as Node does: with the text of a script after -e.
if (process.argv[2] === "-e") run(wrapped(process.argv.splice(1, 3)[2] ?? ""));
else run(getAsset("program", "utf8"));

/** Gives a script what Node gives a module. */
function run(source) {
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const main = new vm.Script(source, { filename, importModuleDynamically }).runInThisContext();
  const module = { exports: {} };
  main(module.exports, require, module, filename, dirname(filename));
}

function wrapped(source) {
  return `(function(exports,require,module,__filename,__dirname){${source}\n})`;
}
