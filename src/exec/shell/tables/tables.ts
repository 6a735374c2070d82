import type { Grammar } from "../grammar.ts";
import { CHANGING } from "./changing.ts";
import { GIT } from "./git.ts";
import { LOOKING } from "./looking.ts";
import { BUILTINS, MACHINE, VERSIONS, WRAPPERS } from "./machine.ts";
import { READING } from "./reading.ts";

const PROGRAMS: ReadonlyMap<string, Grammar> = new Map([
  ...Object.entries(READING),
  ...Object.entries(LOOKING),
  ...Object.entries(MACHINE),
  ...Object.entries(WRAPPERS),
  ...Object.entries(VERSIONS),
  ...Object.entries(CHANGING),
  ["git", GIT],
]);

const OF_BUILTINS: ReadonlyMap<string, Grammar> = new Map(Object.entries(BUILTINS));

export const grammarOfProgram = (name: string): Grammar | undefined => PROGRAMS.get(name);
export const grammarOfBuiltin = (name: string): Grammar | undefined => OF_BUILTINS.get(name);
