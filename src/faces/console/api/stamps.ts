import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../../app/app.ts";
import type { Rules } from "../../../runtime/rules/rules.ts";
import type { LiveEvent } from "../contract.ts";

/** Returns for each kind of news a value that differs once there is some. Reads names, sizes and times only. */
export async function stampsOf({ session, stateDirectory }: App): Promise<Readonly<Record<LiveEvent, unknown>>> {
  await session.reload();
  const at = (...names: readonly string[]): string => join(stateDirectory, ...names);
  const jobs = sortedNames(at("jobs")).slice(-NEWEST);
  return {
    calls: stampOf(
      at(),
      sortedNames(at())
        .filter((name) => name.startsWith("audit-"))
        .slice(-1),
    ),
    // The journal of a process that runs is among what is pending.
    changes: ["pending", "changes", "storages"].map((folder) => stampOf(at(folder))).join(" "),
    waiting: stampOf(at("approvals")),
    jobs: [stampOf(at("jobs")), ...jobs.map((id) => stampOf(at("jobs", id)))].join(" "),
    trash: stampOf(at("trash")),
    rules: `${stampOf(at(), ["grants.json", "exec-approvals.json"])} ${numberOf(session.rules())}`,
  };
}

/** Limits the files of a folder that are looked at: older ones no longer change. */
const NEWEST = 64;

const sortedNames = (folder: string): readonly string[] => orNothing(() => readdirSync(folder).toSorted(), []);

/** Joins sizes and times of files in a folder: of some, or of the folder itself and its newest. */
const stampOf = (folder: string, names = ["", ...sortedNames(folder).slice(-NEWEST)]): string =>
  names.map((name) => orNothing(() => `${name}:${sizeAndTime(join(folder, name))}`, "-")).join(" ");

function sizeAndTime(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${size}:${mtimeMs}`;
}

/** A folder that is not there yet, or a file that is gone by now, is a state as well. */
function orNothing<Value>(read: () => Value, nothing: Value): Value {
  try {
    return read();
  } catch {
    return nothing;
  }
}

/** Numbers the rules: a reload makes new ones. */
function numberOf(rules: Rules): number {
  const number = numbers.get(rules) ?? ++last;
  numbers.set(rules, number);
  return number;
}

const numbers = new WeakMap<Rules, number>();
let last = 0;
