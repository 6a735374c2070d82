// Fails when a document that must stay short is missing or has grown too long.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { finish, root } from "./gate.mjs";

const DECISIONS = "docs/decisions";

const limits = [
  { file: "AGENTS.md", most: 80 },
  { file: "docs/ARCHITECTURE.md", most: 120 },
  ...decisions().map((name) => ({ file: `${DECISIONS}/${name}`, most: 25 })),
];
finish(limits.length, limits.flatMap(problemsOf));

function decisions() {
  return existsSync(join(root, DECISIONS)) ? readdirSync(join(root, DECISIONS)) : [];
}

function problemsOf({ file, most }) {
  if (!existsSync(join(root, file))) return [`${file}: missing`];
  const lines = readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
  return lines > most ? [`${file}: ${lines} lines, at most ${most}`] : [];
}
