import type { App } from "../../../app/app.ts";
import { Fault, isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { adminOf } from "../../../runtime/admin.ts";
import { type ChangeHistory, changeHistoryOf } from "../../../runtime/change-history.ts";
import type { ApiCall } from "./endpoint.ts";

/** Returns the history of everything. */
export const wholeHistory = ({ app, signal }: ApiCall): ChangeHistory => changeHistoryOf(app.session, signal);

/** Returns the roots of the session that made a change. Throws where there is no such change. */
export function rootsOfChange(call: ApiCall, id: string): readonly string[] {
  if (!wholeHistory(call).read(id))
    throw new Fault("not_found", `Cannot find the change ${JSON.stringify(id)}: the history does not have it`, {
      hint: "It may be older than what is kept",
    });
  return adminOf(call.app.session).rootsOutside([], id);
}

/** Returns the roots of all changes of a session. Throws where it made none. */
export async function rootsOfSession(call: ApiCall, session: string): Promise<readonly string[]> {
  const roots = new Set<string>();
  const admin = adminOf(call.app.session);
  let seen = 0;
  for await (const change of wholeHistory(call).changes()) {
    if (seen++ === LIMITS.consoleChanges) break;
    if (change.session === session) for (const root of admin.rootsOutside([], change.id)) roots.add(root);
  }
  if (roots.size > 0) return [...roots];
  throw new Fault("not_found", `Cannot find changes of the session ${JSON.stringify(session)}: there are none`, {
    hint: "It may have changed nothing",
  });
}

/** Opens directories for one request: a change is undone with the rules and the store of the place where it was made. */
export async function withDirectories<Result>(
  { person }: ApiCall,
  roots: readonly string[],
  work: (app: App) => Promise<Result>,
): Promise<Result> {
  if (roots.length === 0) throw new Fault("not_found", "Cannot change anything there: no directory of it is known");
  const app = await person.within(roots);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Opens directories to look at their past. Where they are gone, what is kept elsewhere still shows. */
export async function withHistory<Result>(
  call: ApiCall,
  roots: readonly string[],
  work: (history: ChangeHistory) => Promise<Result>,
): Promise<Result> {
  let app: App | undefined;
  try {
    app = roots.length > 0 ? await call.person.within(roots) : undefined;
  } catch (error) {
    if (!isFault(error)) throw error;
  }
  try {
    return await work(changeHistoryOf((app ?? call.app).session, call.signal));
  } finally {
    await app?.close();
  }
}
