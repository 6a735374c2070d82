import { dirname } from "node:path";
import { Fault } from "../base/errors.ts";
import { isWithin } from "../base/paths.ts";
import { isoOf } from "../base/time.ts";
import { blame, type BlamedLine } from "../workspace/changes/blame.ts";
import { diffOfChange, type FileDiff } from "../workspace/changes/change-diff.ts";
import type { TrashItem } from "../workspace/changes/trash/notes.ts";
import type { InterruptedChange } from "../workspace/storage-access.ts";
import type { View } from "../workspace/view.ts";
import type { AuditFile } from "./audit/audit.ts";
import type { JobAdmin } from "./commands/job-admin.ts";
import { unrestrictedView } from "./pipeline/unrestricted-view.ts";
import type { Session } from "./sessions/session.ts";

/** Describes one change for people. */
export interface ChangeWithDiff {
  readonly change_id: string;
  readonly time: string;
  readonly session: string;
  readonly tool: string;
  readonly files: readonly FileDiff[];
}

/** Describes one item in the trash for people. */
export interface TrashEntry {
  readonly trash_id: string;
  /** Names the change that deleted it. */
  readonly change_id: string;
  readonly path: string;
  readonly type: string;
  readonly files: number;
  readonly bytes: number;
  readonly deleted: string;
  readonly recoverable_until: string;
  readonly expired: boolean;
  readonly principal: TrashItem["principal"];
  readonly session: string;
  /** Is true if it was deleted from another directory, which had the same path. */
  readonly other_directory?: boolean;
}

/** Offers the operator what tools do not. No agent can reach it, and the audit log names what it purged. */
export interface Admin {
  diff(id: string): Promise<ChangeWithDiff>;
  /**
   * Returns the real paths of the roots of the session that made a change, where it touched something outside of these
   * directories; none where there is no such change.
   */
  rootsOutside(directories: readonly string[], id: string): readonly string[];
  /** Lists the trash, newest first. */
  trash(): Promise<readonly TrashEntry[]>;
  /** Resolves a path and returns the name by which the workspace shows that place. */
  nameOf(path: string): Promise<string>;
  /** Returns for each line of a file the change that wrote it. */
  blame(path: string): Promise<readonly BlamedLine[]>;
  /** Returns the files of the audit log, one per day, oldest first. */
  audit(): readonly AuditFile[];
  /** Removes things from the trash for good. `progress` receives how many are gone, and of how many. */
  purge(ids: readonly string[], progress?: (done: number, total: number) => void): Promise<void>;
  /** Shows and ends the jobs of the user. Throws where commands are not possible. */
  jobs(): Promise<JobAdmin>;
  /** Gives up a change that was interrupted, so that its places can be changed again; they stay as they are. */
  giveUp(id: string): Promise<InterruptedChange>;
}

export function adminOf(session: Session): Admin {
  const { workspace, audit } = session;
  const view = unrestrictedView(workspace, { aborted: false });
  return {
    async diff(id) {
      await workspace.writing?.ready();
      const record = view.history.read(id);
      if (!record)
        throw new Fault(
          "not_found",
          `Cannot show ${JSON.stringify(id)}: there is no such change; holdfast history lists them`,
          { id },
        );
      const { timeMs, session: author, tool } = record;
      const files = await diffOfChange(record, view);
      return { change_id: id, time: isoOf(timeMs), session: author, tool, files };
    },
    rootsOutside(directories, id) {
      const { effects, roots } = view.history.read(id) ?? { effects: [], roots: [] };
      const touched = effects.flatMap(({ path, from = path }) => [path, from]);
      if (touched.every((place) => directories.some((directory) => isWithin(place, directory)))) return [];
      // Changes of older versions do not name their roots.
      return roots.length > 0 ? roots.map(({ path }) => path) : touched.map((place) => dirname(place));
    },
    async trash() {
      await workspace.writing?.ready();
      const nowMs = Date.now();
      return view.history.trash().map((item) => trashLineOf(item, nowMs, view));
    },
    nameOf: async (path) => view.nameOf((await view.resolveTarget(path, "keep")).place),
    async blame(path) {
      await workspace.writing?.ready();
      return blame(view, (await view.resolveTarget(path, "follow")).place);
    },
    audit: audit.files,
    async jobs() {
      if (session.commands) return session.commands.admin();
      throw new Fault("denied", "Cannot look at jobs: commands are not possible here");
    },
    ...repairsOf(session),
  };
}

/** Holds what changes the state for good, and is therefore audited. */
function repairsOf({ workspace, audit, facts }: Session): Pick<Admin, "purge" | "giveUp"> {
  return {
    async purge(ids, progress) {
      if (!workspace.writing)
        throw new Fault("denied", "Cannot purge anything: this session is read-only; leave out --read-only");
      const { trash } = workspace.writing;
      const time = Date.now();
      const purged: string[] = [];
      try {
        for (const item of trash.items().filter(({ id }) => ids.includes(id))) {
          await trash.purge(item);
          purged.push(item.id);
          progress?.(purged.length, ids.length);
        }
      } finally {
        const called = { time, session: facts.id, principal: "user", tool: "trash purge" } as const;
        audit.record({ ...called, input: { ids: purged }, code: "ok", ms: Date.now() - time });
      }
    },
    async giveUp(id) {
      const time = Date.now();
      // Its directories may be back: then it is rolled back instead.
      await workspace.writing?.ready();
      const change = await workspace.writing?.giveUp(id);
      if (!change) throw notWaitingFault(id);
      const called = { time, session: facts.id, principal: "user", tool: "doctor --give-up" } as const;
      audit.record({ ...called, input: { id, places: change.places }, code: "ok", ms: Date.now() - time });
      return change;
    },
  };
}

const notWaitingFault = (id: string): Fault =>
  new Fault("not_found", `Cannot give up ${JSON.stringify(id)}: no interrupted change with this id is waiting`, {
    id,
    hint: "holdfast doctor lists those that wait; one whose directories are back was rolled back by now",
  });

const trashLineOf = (item: TrashItem, nowMs: number, view: View): TrashEntry => ({
  trash_id: item.id,
  change_id: item.changeId,
  path: view.nameOf(item.path),
  type: item.image.kind,
  files: item.files,
  bytes: item.bytes,
  deleted: isoOf(item.deletedMs),
  recoverable_until: isoOf(item.expiresMs),
  expired: item.expiresMs <= nowMs,
  principal: item.principal,
  session: item.session,
  ...(item.isOfReplaced && { other_directory: true }),
});
