// Fails when the version that the program reports is not that of the package.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { finish, root } from "./gate.mjs";

const PRODUCT = "src/base/product.ts";
const textOf = (file) => readFileSync(join(root, file), "utf8");
const versionOf = (file) => JSON.parse(textOf(file)).version;

const expected = versionOf("package.json");
const found = {
  [PRODUCT]: textOf(PRODUCT).match(/version: "([^"]*)"/)?.[1],
  "package-lock.json": versionOf("package-lock.json"),
};
const problems = Object.entries(found)
  .filter(([, version]) => version !== expected)
  .map(([file, version]) => `${file}: version ${version}, but package.json says ${expected}`);
finish(Object.keys(found).length, problems);
