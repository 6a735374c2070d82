import { mergeSettings } from "../../app/merged-settings.ts";
import type { CliSettings } from "./flags.ts";

/**
 * Throws where the command of an agent runs something that is left to people: without a sandbox, it could else approve
 * its own question.
 */
export async function requirePersonFor(command: string, settings: CliSettings): Promise<void> {
  if (!PEOPLE_ONLY[command]?.(settings)) return;
  const { requirePerson } = await import("../../app/require-person.ts");
  requirePerson(await mergeSettings(settings, [], "."), `holdfast ${command}`);
}

const PEOPLE_ONLY: Readonly<Record<string, (settings: CliSettings) => boolean>> = {
  approvals: () => true,
  mcp: ({ server }) => server.connect !== undefined,
  up: () => true,
  status: () => true,
  stop: () => true,
  token: () => true,
  undo: () => true,
  trash: ({ words: [verb] }) => verb === "purge",
  jobs: ({ words: [verb = ""] }) => ["stop", "apply", "discard"].includes(verb),
  install: ({ installing: { list, print } }) => !list && !print,
  doctor: ({ giveUp }) => giveUp !== undefined,
};
