import { isFault } from "../../base/errors.ts";
import { identityOf } from "../../exec/sandbox/programs.ts";
import type { Judgement, Programs } from "../../exec/shell/judgement.ts";
import { joined } from "../../exec/shell/paths.ts";
import { preflight } from "../../exec/shell/preflight.ts";
import type { View } from "../../workspace/view.ts";

/** Maps files that a command runs to what identifies them as they are now. */
export type Identities = Readonly<Record<string, string>>;

/** Identifies the programs of a command, and the scripts that its interpreters run. */
export async function identitiesOf(
  text: string,
  { programs: judged }: Judgement,
  { programs, directory, view }: { readonly programs: Programs; readonly directory: string; readonly view: View },
): Promise<Identities> {
  const identities: Record<string, string> = {};
  for (const { file, argv } of judged) {
    const identity = file === undefined ? undefined : identityOf(programs.find(argv[0] ?? ""));
    if (file !== undefined && identity) identities[file] = Object.values(identity).filter(Boolean).join(" ");
  }
  for (const { path } of preflight(text).scripts) {
    const script = joined(directory, path);
    identities[script] = (await versionOf(script, view)) ?? "missing";
  }
  return identities;
}

/** Returns undefined for a file that is gone, or outside the directories: there no tool can change it. */
async function versionOf(path: string, view: View): Promise<string | undefined> {
  try {
    const { now } = await view.resolveTarget(path, "follow");
    return now?.version;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
