import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { App } from "../../../../src/app/app.ts";
import type { SafePath } from "../../../../src/storage/storage.ts";
import type { ChangeRecord } from "../../../../src/workspace/changes/change.ts";
import type { HeldView } from "../../../../src/workspace/changes/views/held-view.ts";
import type { ViewPlan } from "../../../../src/workspace/changes/views/plan-view.ts";
import type { CommandViews } from "../../../../src/workspace/changes/views/views.ts";
import { WITH_OWN_MOUNTS } from "../../../contracts/run-alone.ts";
import { needsOwnMounts } from "../../../programs.ts";
import { runOn } from "./run-on-view.ts";
import { appOn, type Caller, callerOf } from "../../../runtime/scratch.ts";

/** A workspace in which commands run on views. */
export interface ViewedWorkspace {
  readonly root: SafePath;
  readonly views: CommandViews;
  readonly call: Caller;
  /** Creates a view and runs a command on it. */
  run(command: string): HeldView;
  plan(view: HeldView, prefer?: "ours" | "theirs"): Promise<ViewPlan>;
  commit(plan: ViewPlan): Promise<ChangeRecord>;
}

export function viewedWorkspace(root: string, options: Parameters<typeof appOn>[1] = {}): ViewedWorkspace {
  needsOwnMounts(WITH_OWN_MOUNTS);
  onTestFinished(() => void openAll(dirname(root)));
  return viewsOf(appOn(root, { loopDetection: false, ...options }), root);
}

function viewsOf({ session }: App, root: string, call = callerOf({ session } as App)): ViewedWorkspace {
  const { writing } = session.workspace;
  const views = writing?.views;
  if (!writing || !views?.canCreate()) throw new Error("This workspace has no views");
  const author = { session: session.facts.id, principal: "agent", tool: "exec" } as const;
  return {
    root: root as SafePath,
    views,
    call,
    run(command) {
      const view = views.create([root as SafePath]);
      runOn(view, command);
      return view;
    },
    plan: (view, prefer) => views.plan(view.id, { checkpoint: () => {}, prefer }),
    async commit(plan) {
      if (plan.conflicts.length > 0) throw new Error(JSON.stringify(plan.conflicts));
      return writing.commit({ changes: plan.changes }, { author, checkpoint: () => {} });
    },
  };
}

/** Opens what a user could not remove after the test: directories without permissions, such as those of overlays. */
const openAll = (directory: string): unknown => execFileSync("chmod", ["-R", "u+rwX", directory]);

/** Shows every entry of a tree with its mode and content. */
export function pictureOf(directory: string, way: string = ""): Record<string, string> {
  const names = readdirSync(join(directory, way)).toSorted();
  return Object.fromEntries(
    names.flatMap((name) => {
      const [inner, path] = [join(way, name), join(directory, way, name)];
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) return [[inner, `-> ${readlinkSync(path)}`]];
      if (stats.isDirectory()) return [[`${inner}/`, mode], ...Object.entries(pictureOf(directory, inner))];
      return [[inner, `${mode} ${stats.size > 4096 ? stats.size : readFileSync(path, "latin1")}`]];
    }),
  );
}
