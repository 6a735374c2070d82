import { Fault } from "../../base/errors.ts";
import type { ChangeIntent, CommandRequest } from "../../tools/tool.ts";
import type { CallContext } from "../pipeline/call-context.ts";
import { unrestrictedView } from "../pipeline/unrestricted-view.ts";
import type { CommandIntent } from "./command-intent.ts";

/** Turns a request about commands into an intent that can be decided about like any other. */
export async function commandIntentOf(
  { session, request }: CallContext,
  asked: CommandRequest,
): Promise<CommandIntent | ChangeIntent> {
  const { commands, workspace } = session;
  if (!commands) throw new Fault("denied", "Cannot run commands: they are off in this session");
  if (asked.kind === "job") return commands.planJob(asked);
  const view = unrestrictedView(workspace, request.signal);
  return asked.kind === "run" ? commands.planRun(asked, view) : commands.planApply(asked, view);
}
