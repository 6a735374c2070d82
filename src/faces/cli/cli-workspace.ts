import { createApp } from "../../app/app.ts";
import { answerOf, type FaultAnswer, faultOf, isFault } from "../../base/errors.ts";
import type { ApprovalStore } from "../../runtime/approvals/store.ts";
import type { Grants } from "../../runtime/approvals/grants.ts";
import type { LoopSuspensions } from "../../runtime/loops/suspensions.ts";
import type { Approver } from "../../runtime/approvals/approvals.ts";
import { call } from "../../runtime/pipeline/call.ts";
import { type Admin, adminOf } from "../../runtime/admin.ts";
import { quoted } from "../../text/quote.ts";
import type { Holdfast } from "../sdk/holdfast.ts";
import { watchEvents } from "../sdk/watch-events.ts";
import { mergeSettings } from "../../app/merged-settings.ts";
import { faultText } from "./fault-text.ts";
import type { CliSettings } from "./flags.ts";
import { currentUser } from "./current-user.ts";
import { print, warn } from "./terminal.ts";

/** Approves everything: the person who gives a command has approved it by that. */
const allowedByCommand: Approver = async () => ({ decision: "once", who: currentUser() });

/** Calls a tool. Throws its fault. */
export type Ask = <Data>(tool: string, input: Readonly<Record<string, unknown>>) => Promise<Data>;

/** A workspace for the person at the terminal. */
export interface CliWorkspace {
  readonly ask: Ask;
  readonly admin: Admin;
  readonly watch: Holdfast["watch"];
  readonly approvals: ApprovalStore;
  readonly grants: Grants;
  readonly suspensions: LoopSuspensions;
  readonly roots: readonly string[];
  /** Returns true if a tool never changes anything. Returns false for unknown tools. */
  readonly isReadOnly: (tool: string) => boolean;
  /** The quoted roots, for messages. */
  readonly name: string;
}

/** Opens the workspace for one command. Prints a fault that the command throws, and returns exit code 1 for it. */
export async function withCliWorkspace(
  settings: CliSettings,
  work: (workspace: CliWorkspace) => Promise<void>,
  directories: readonly string[] = [],
): Promise<number> {
  const options = await mergeSettings(settings, directories, ".");
  const approving = { approver: allowedByCommand, approverChannel: "cli" as const, approvalWebhook: undefined };
  const app = createApp({ ...options, ...approving, principal: "user", warn });
  const { session } = app;
  try {
    const served = session.workspace.roots.map(({ given }) => given);
    const name = served.map(quoted).join(", ");
    const watch: CliWorkspace["watch"] = (path, watching) => watchEvents(session, path, watching);
    await work({
      ask: createAsk(session),
      admin: adminOf(session),
      watch,
      approvals: app.approvals,
      grants: app.grants,
      suspensions: app.suspensions,
      roots: served,
      isReadOnly: (tool) => session.toolset().byName.get(tool)?.annotations.readOnlyHint ?? false,
      name,
    });
    return 0;
  } catch (error) {
    if (!isFault(error)) throw error;
    if (settings.json) print(JSON.stringify({ error: answerOf(error) }));
    else warn(faultText(error));
    return 1;
  } finally {
    app.close();
  }
}

const createAsk =
  (session: Parameters<typeof call>[0]): Ask =>
  async <Data>(tool: string, input: Readonly<Record<string, unknown>>) => {
    const { isError, data } = await call(session, { tool, input, signal: { aborted: false }, repeats: true });
    if (isError) throw faultOf(data["error"] as FaultAnswer);
    return data as Data;
  };
