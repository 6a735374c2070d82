import type { JobIntent } from "../../tools/tool.ts";
import type { CommandIntent } from "./command-intent.ts";
import type { CommandParts } from "./command-parts.ts";
import type { Commands } from "./commands.ts";
import { jobAdminOf } from "./job-admin.ts";
import { answerJob } from "./job-requests.ts";
import { planApply } from "./plan-apply.ts";
import { planRun } from "./plan-run.ts";

/** Creates what runs the commands of one session. Starts nothing before the first command. */
export function createCommands(parts: CommandParts): Commands {
  return {
    planRun: (intent, view) => planRun(parts, intent, view),
    planJob: async (intent) => jobIntent(parts, intent),
    planApply: (intent, view) => planApply(parts, intent, view),
    endAll: () => parts.jobs.endSession(parts.owner.session),
    admin: async () => jobAdminOf(parts),
  };
}

/** Needs no permission of its own: the command was allowed, and what is written to it is part of it. */
const jobIntent = (parts: CommandParts, { request, answerFor, applyCall }: JobIntent): CommandIntent => ({
  kind: "command",
  requests: [],
  effect: { summary: request.does, parts: [], recoverable: false },
  async run({ signal }) {
    const { reports, toApply } = await answerJob(parts, request, signal);
    return { ...answerFor(reports), next: toApply === undefined ? undefined : applyCall(toApply) };
  },
});
