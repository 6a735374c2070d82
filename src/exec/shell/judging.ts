import type { JudgeContext, JudgedPlace, JudgedProgram } from "./judgement.ts";
import { joined } from "./paths.ts";

/** Holds what is known of a command while its tree is walked. */
export interface Judging {
  readonly context: JudgeContext;
  readonly source: string;
  /** Says which syntax is not covered, and which programs are not. */
  readonly syntaxProblems: Set<string>;
  readonly programProblems: Set<string>;
  readonly programs: JudgedProgram[];
  readonly places: JudgedPlace[];
  /** The directories that the shell may be in, relative to where it starts: several where a `cd` may have failed. */
  directories: readonly string[];
  /** Counts the programs that use places, and says whether one of them may move links. */
  users: number;
  movesLinks: boolean;
}

export const createJudging = (source: string, context: JudgeContext): Judging => ({
  context,
  source,
  syntaxProblems: new Set(),
  programProblems: new Set(),
  programs: [],
  places: [],
  directories: [""],
  users: 0,
  movesLinks: false,
});

/** Adds places that are relative to the directory of the shell, for every directory that this may be. */
export function addPlaces({ directories, places }: Judging, found: readonly JudgedPlace[]): void {
  for (const { act, path, reach } of found)
    for (const directory of directories) places.push({ act, path: joined(directory, path), reach });
}

/** Adds directories that the shell may be in as well. More than a few are not followed any more. */
export function alsoIn(judging: Judging, directories: readonly string[]): void {
  const all = [...new Set([...judging.directories, ...directories])];
  if (all.length > MAX_DIRECTORIES)
    judging.syntaxProblems.add("the command changes its directory too often to be followed");
  judging.directories = all.slice(0, MAX_DIRECTORIES);
}

const MAX_DIRECTORIES = 8;
