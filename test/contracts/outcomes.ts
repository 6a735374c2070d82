import { expect } from "vitest";

/** Returns the sorted names that a tree has in one of its directories. */
export function namesIn(tree: readonly string[], place: string): readonly string[] {
  const below = tree.map((line) => line.split(" => ")[0] as string).map((name) => `./${name}`);
  const start = place === "." ? "./" : `./${place}/`;
  const names = below.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length).split("/")[0]);
  return [...new Set(names)].filter((name) => name !== undefined && name !== "").toSorted() as string[];
}

/** Fails when an answer reveals what lies outside, or where a link leads: only words of the question may come back. */
export function expectNoLeak(answer: string, asked: string): void {
  for (const word of ["nobody may read this", "secret", "outside/"])
    if (!asked.includes(word)) expect(answer).not.toContain(word);
}
