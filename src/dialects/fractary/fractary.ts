import type { Dialect } from "../dialect.ts";
import { copy, move, remove, write } from "./change-tools.ts";
import { answerFault } from "./faults.ts";
import { list } from "./list-tools.ts";
import { exists, read } from "./read-tools.ts";

/** Offers fractary's file toolset. Its base is the operator's first directory, its sources are the named ones. */
export const fractary: Dialect = {
  name: "fractary",
  tools: [read, write, list, remove, exists, copy, move],
  answerFault,
};
