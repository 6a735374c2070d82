import { applyPatch } from "./apply_patch.ts";
import { copy } from "./copy.ts";
import { remove } from "./delete.ts";
import { edit } from "./edit.ts";
import { find } from "./find.ts";
import { grep } from "./grep.ts";
import { history } from "./history.ts";
import { ls } from "./ls.ts";
import { mkdir } from "./mkdir.ts";
import { move } from "./move.ts";
import { read } from "./read.ts";
import { restore } from "./restore.ts";
import { session } from "./session.ts";
import { stat } from "./stat.ts";
import type { Tool } from "./tool.ts";
import { tree } from "./tree.ts";
import { undo } from "./undo.ts";
import { watch } from "./watch.ts";
import { write } from "./write.ts";

/** Adding a tool: one file, one line here. */
export const BUILTIN_TOOLS = [
  applyPatch,
  copy,
  remove,
  edit,
  find,
  grep,
  history,
  ls,
  mkdir,
  move,
  read,
  restore,
  session,
  stat,
  tree,
  undo,
  watch,
  write,
] as const satisfies readonly Tool[];
