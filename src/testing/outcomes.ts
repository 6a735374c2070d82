import { ok } from "node:assert/strict";

/** Returns the sorted names that a tree has in one of its directories. */
export function namesIn(tree: readonly string[], place: string): readonly string[] {
  const below = tree.map((line) => line.split(" => ")[0] as string).map((name) => `./${name}`);
  const start = place === "." ? "./" : `./${place}/`;
  const names = below.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length).split("/")[0]);
  return [...new Set(names)].filter((name): name is string => name !== undefined && name !== "").toSorted();
}

/** Fails when an answer reveals what lies outside, or where a link leads: only words of the question may come back. */
export function requireNoLeak(answer: string, asked: string): void {
  for (const word of ["nobody may read this", "secret", "outside/"])
    if (!asked.includes(word)) ok(!answer.includes(word), `the answer reveals ${JSON.stringify(word)}: ${answer}`);
}
