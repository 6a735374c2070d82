import { recordedIn, unfinishedIn } from "../workspace/changes/journals.ts";
import { callerIn, type Home, treeOf } from "./home.ts";

/** Holds the two states that a case may leave: all of it as it was, or all of it done. */
export interface Expected {
  readonly before: State;
  readonly after: State;
}

export interface State {
  readonly tree: string;
  readonly records: number;
}

export function stateOf(home: Home): State {
  return { tree: JSON.stringify(treeOf(home.root), null, 1), records: recordedIn(home.state).length };
}

/** Makes a call as a new process, and returns what is wrong then; nothing, if nothing is. */
export async function checkState(home: Home, { before, after }: Expected): Promise<readonly string[]> {
  const { code, blocks } = await callerIn(home)({ tool: "ls", input: {} });
  if (code !== "ok") return [`the next call fails: ${JSON.stringify(blocks)}`];
  const now = stateOf(home);
  const [at, records] = now.tree === before.tree ? ["before", before.records] : ["after", after.records];
  const pending = unfinishedIn(home.state);
  return [
    ...([before.tree, after.tree].includes(now.tree) ? [] : [`neither before nor after: ${changed(before, now)}`]),
    ...(now.records === records ? [] : [`${now.records} records, but all is as ${at}`]),
    ...(now.tree.includes(".holdfast-") ? ["a temporary file is left"] : []),
    ...(pending.length > 0 ? [`pending: ${pending.join()}`] : []),
    ...(await checkWrite(home)),
  ];
}

async function checkWrite(home: Home): Promise<readonly string[]> {
  const { code, blocks } = await callerIn(home)({ tool: "write", input: { path: "later.txt", content: "later\n" } });
  return code === "ok" ? [] : [`the next write fails: ${JSON.stringify(blocks)}`];
}

/** Undoes everything, newest first, and returns what then differs from the start. */
export async function checkUndo(home: Home, start: State): Promise<readonly string[]> {
  for (;;) {
    const { code, blocks } = await callerIn(home)({ tool: "undo", input: {} });
    if (code === "no_change") break;
    if (code !== "ok") return [`cannot be undone: ${JSON.stringify(blocks)}`];
  }
  const now = stateOf(home);
  return now.tree === start.tree ? [] : [`does not lead back to the start: ${changed(start, now)}`];
}

function changed(before: State, now: State): string {
  const [old, fresh] = [before.tree.split("\n"), now.tree.split("\n")];
  const added = fresh.filter((line) => !old.includes(line)).map((line) => `+${line.trim()}`);
  const removed = old.filter((line) => !fresh.includes(line)).map((line) => `-${line.trim()}`);
  return [...added, ...removed].join(" ");
}
