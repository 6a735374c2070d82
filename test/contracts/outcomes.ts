import { expect } from "vitest";

/** The names that a tree has in one of its directories, sorted. */
export function namesIn(tree: readonly string[], place: string): readonly string[] {
  const below = tree.map((line) => line.split(" => ")[0] as string).map((name) => `./${name}`);
  const start = place === "." ? "./" : `./${place}/`;
  const names = below.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length).split("/")[0]);
  return [...new Set(names)].filter((name) => name !== undefined && name !== "").toSorted() as string[];
}

/** What lies outside, and where a link leads, is not told: only what the caller said may come back. */
export function unsaid(answer: string, asked: string): void {
  for (const word of ["nobody may read this", "secret", "outside/"])
    if (!asked.includes(word)) expect(answer).not.toContain(word);
}
