// Fails on lines of documents that are too wide to read. Tables are exempt, and so is what cannot be wrapped.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documents } from "./documents.mjs";
import { finish, root } from "./gate.mjs";

const WIDTH = 120;

const files = documents(root);
finish(files.length, files.flatMap(problemsOf));

function problemsOf(file) {
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .map((line, index) => ({ line, number: index + 1, width: line.length }))
    .filter(({ line, width }) => width > WIDTH && !isTableRow(line) && !isOneWord(line))
    .map(({ number, width }) => `${file}:${number}: ${width} characters, at most ${WIDTH}`);
}

function isTableRow(line) {
  return /^\s*\|/.test(line);
}

/** Recognises a long address alone on its line, also as an item of a list. */
function isOneWord(line) {
  return /^\s*(?:[-*] |\d+\. )?\S+$/.test(line);
}
