import { createApp } from "../../app/app.ts";
import { type AppliedJob, applyJob } from "../../app/apply-job.ts";
import { type Ask, createAsk } from "../../app/ask.ts";
import { openSharedState, type SharedState } from "../../app/shared-state.ts";
import { answerOf, isFault } from "../../base/errors.ts";
import type { Approver } from "../../runtime/approvals/approvals.ts";
import { type Admin, adminOf } from "../../runtime/admin.ts";
import type { Session } from "../../runtime/sessions/session.ts";
import { quoted } from "../../text/quote.ts";
import type { Holdfast } from "../sdk/holdfast.ts";
import { watchEvents } from "../sdk/watch-events.ts";
import { type MergedSettings, mergeSettings } from "../../app/merged-settings.ts";
import { faultText } from "./fault-text.ts";
import type { CliSettings } from "./flags.ts";
import { currentUser } from "./current-user.ts";
import { createProgressBar } from "./progress-bar.ts";
import { print, warn } from "./terminal.ts";

/** Approves everything: the person who gives a command has approved it by that. */
const allowedByCommand: Approver = async () => ({ decision: "once", who: currentUser() });

/** A workspace for the person at the terminal. */
export interface CliWorkspace {
  readonly ask: Ask;
  readonly admin: Admin;
  readonly applyJob: (id: string, prefer?: "ours" | "theirs") => Promise<AppliedJob>;
  readonly watch: Holdfast["watch"];
  readonly roots: readonly string[];
  /** The real paths of the roots. */
  readonly places: readonly string[];
  /** Returns true if a tool never changes anything. Returns false for unknown tools. */
  readonly isReadOnly: (tool: string) => boolean;
  /** The quoted roots, for messages. */
  readonly name: string;
}

/** Does the work of one command in a workspace. */
export type WorkspaceTask = (workspace: CliWorkspace) => Promise<void>;

/** Opens these directories for one command, or else those of the configuration or the current one. */
export const withCliWorkspace = async (
  settings: CliSettings,
  work: WorkspaceTask,
  directories: readonly string[] = [],
): Promise<number> => withWorkspaceOf(settings, await mergeSettings(settings, directories, "."), work);

/** Opens a workspace for the person at the terminal. Prints a fault of the command, and returns exit code 1 for it. */
export function withWorkspaceOf(settings: CliSettings, options: MergedSettings, work: WorkspaceTask): Promise<number> {
  const elsewhere = { approvalWebhook: undefined, approvalSocket: undefined };
  const approving = { approver: allowedByCommand, approverChannel: "cli" as const, ...elsewhere };
  const app = createApp({ ...options, ...approving, principal: "user", warn });
  const { session } = app;
  const served = session.workspace.roots.map(({ given }) => given);
  const watch: CliWorkspace["watch"] = (path, watching) => watchEvents(session, path, watching);
  return withReportedFault(settings, () =>
    work({
      ask: askWithBar(session),
      admin: adminOf(session),
      applyJob: (id, prefer) => applyJob(session, id, prefer),
      watch,
      roots: served,
      places: session.workspace.roots.map(({ real }) => real),
      isReadOnly: (tool) => session.toolset().byName.get(tool)?.annotations.readOnlyHint ?? false,
      name: served.map(quoted).join(", "),
    }),
  ).finally(app.close);
}

/** Calls tools for the person, and shows how far a long call is. */
const askWithBar = (session: Session): Ask => {
  return (tool, input) => {
    const bar = createProgressBar(tool);
    return createAsk(session, bar.report)<never>(tool, input).finally(bar.clear);
  };
};

/** Opens what all sessions of the user share, for one command: it needs no directory. */
export async function withSharedState(
  settings: CliSettings,
  work: (shared: SharedState) => Promise<void>,
): Promise<number> {
  const shared = openSharedState(await mergeSettings(settings, [], "."));
  return withReportedFault(settings, () => work(shared));
}

/** Prints a fault that the command throws, and returns exit code 1 for it. */
async function withReportedFault({ json }: CliSettings, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!isFault(error)) throw error;
    if (json) print(JSON.stringify({ error: answerOf(error) }));
    else warn(faultText(error));
    return 1;
  }
}
