import type { JobIntent } from "../../tools/tool.ts";
import type { CommandIntent } from "./command-intent.ts";
import type { CommandParts } from "./command-parts.ts";
import type { Commands } from "./commands.ts";
import { jobAdminOf } from "./job-admin.ts";
import { reconcileEnded } from "./job-pictures.ts";
import { answerJob, endedEarlier } from "./job-requests.ts";
import { planApply } from "./plan-apply.ts";
import { planRun } from "./plan-run.ts";

/** Creates what runs the commands of one session. Starts nothing before the first command. */
export function createCommands(parts: CommandParts): Commands {
  let leftBefore: Promise<boolean> | undefined;
  return {
    async planRun(intent, view) {
      // What an exited process could not finish must not keep a command from running: the next one tries again.
      if (!(await (leftBefore ??= reconcileEnded(parts).catch(() => false)))) leftBefore = undefined;
      return planRun(parts, intent, view);
    },
    planJob: async (intent) => jobIntent(parts, intent),
    planApply: (intent, view) => planApply(parts, intent, view),
    async endAll() {
      parts.background.stop();
      try {
        await parts.jobs.endSession(parts.owner.session);
        await reconcileEnded(parts);
      } finally {
        await parts.closeSandboxes();
      }
    },
    async admin() {
      await reconcileEnded(parts);
      return jobAdminOf(parts);
    },
  };
}

/** Needs no permission of its own: the command was allowed, and what is written to it is part of it. */
const jobIntent = (parts: CommandParts, { request, answerFor, applyCall }: JobIntent): CommandIntent => ({
  kind: "command",
  requests: [],
  effect: { summary: request.does, parts: [], recoverable: false },
  async run({ signal }) {
    const { background } = parts;
    const id = "id" in request ? request.id : undefined;
    const { reports, toApply } = await background.whileAnswering(id, () => answerJob(parts, request, signal));
    background.reportEarlier(() => endedEarlier(parts), reports);
    return { ...answerFor(reports), next: toApply === undefined ? undefined : applyCall(toApply) };
  },
});
