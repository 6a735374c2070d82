import type { Commands } from "../runtime/commands/commands.ts";
import type { JobEnds } from "../runtime/sessions/job-ends.ts";
import type { CommandSources } from "./commands.ts";
import type { Options } from "./options.ts";

/** Runs the commands of sessions. The code for it is loaded at the first command: most sessions run none. */
export function lazyCommands(options: Options, sources: CommandSources): CommandsFor {
  let loaded: Promise<CommandsFor> | undefined;
  const load = (): Promise<CommandsFor> =>
    (loaded ??= import("./commands.ts").then(({ commandsOf }) => commandsOf(options, sources)));
  return (session, jobEnds) => {
    let own: Promise<Commands> | undefined;
    const commands = (): Promise<Commands> => (own ??= load().then((create) => create(session, jobEnds)));
    return {
      planRun: async (intent, view) => (await commands()).planRun(intent, view),
      planJob: async (intent) => (await commands()).planJob(intent),
      planApply: async (intent, view) => (await commands()).planApply(intent, view),
      admin: async () => (await commands()).admin(),
      endAll: async () => (await own)?.endAll(),
    };
  };
}

type CommandsFor = (session: string, jobEnds: JobEnds) => Commands;
