import type { ApplyIntent, ChangeIntent, JobIntent, RunIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import type { CommandIntent } from "./command-intent.ts";
import type { JobAdmin } from "./job-admin.ts";

/** Runs commands for one session. */
export interface Commands {
  /** Plans a command: what rules decide about and people are shown. Starts nothing. */
  planRun(intent: RunIntent, view: View): Promise<CommandIntent>;
  /** Plans a request about a command that was started before. */
  planJob(intent: JobIntent): Promise<CommandIntent>;
  /** Plans to apply what a command changed on its view. Throws `conflict` where something else was changed meanwhile. */
  planApply(intent: ApplyIntent, view: View): Promise<ChangeIntent>;
  /** Ends the commands that belong to the session. */
  endAll(): Promise<void>;
  /** Returns what shows and ends the jobs of the user, for the operator only. */
  admin(): Promise<JobAdmin>;
}
