import { ls } from "./ls.ts";
import { read } from "./read.ts";
import { session } from "./session.ts";
import { stat } from "./stat.ts";
import type { Tool } from "./tool.ts";
import { tree } from "./tree.ts";

/** Adding a tool: one file, one line here. */
export const BUILTIN_TOOLS: readonly Tool[] = [ls, read, session, stat, tree];
