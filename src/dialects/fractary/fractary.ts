import type { Dialect } from "../dialect.ts";
import { copy, move, remove, write } from "./changing.ts";
import { refusal } from "./faults.ts";
import { list } from "./listing.ts";
import { exists, read } from "./reading.ts";

/** The file toolset of fractary. Its base directory is the first of the operator, its sources are those with a name. */
export const fractary: Dialect = {
  name: "fractary",
  tools: [read, write, list, remove, exists, copy, move],
  refusal,
};
