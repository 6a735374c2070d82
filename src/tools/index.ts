import { applyPatch } from "./fs/apply_patch.ts";
import { copy } from "./fs/copy.ts";
import { remove } from "./fs/delete.ts";
import { edit } from "./fs/edit.ts";
import { find } from "./fs/find.ts";
import { grep } from "./fs/grep.ts";
import { history } from "./fs/history.ts";
import { ls } from "./fs/ls.ts";
import { mkdir } from "./fs/mkdir.ts";
import { move } from "./fs/move.ts";
import { read } from "./fs/read.ts";
import { restore } from "./fs/restore.ts";
import { session } from "./sessions/session.ts";
import { stat } from "./fs/stat.ts";
import type { BuiltinTool } from "./tool.ts";
import { tree } from "./fs/tree.ts";
import { undo } from "./fs/undo.ts";
import { watch } from "./fs/watch.ts";
import { write } from "./fs/write.ts";

/** A new tool needs its file and its line here; everything else is derived from its definition. */
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
] as const satisfies readonly BuiltinTool[];
