import * as z from "zod";
import { createAsk } from "../../../app/ask.ts";
import { Fault, isFault } from "../../../base/errors.ts";
import { isoOf } from "../../../base/time.ts";
import { adminOf } from "../../../runtime/admin.ts";
import { unrestrictedView } from "../../../runtime/pipeline/unrestricted-view.ts";
import type { TrashEntry, TrashList } from "../contract.ts";
import { type ApiCall, type Endpoint, nameOf, parsed, pathText } from "./endpoint.ts";
import { nameWithin } from "./names.ts";
import { withDirectories } from "./scope.ts";

/** Returns what is in the trash of all directories. */
async function itemsIn({ app: { session }, signal }: ApiCall) {
  await session.workspace.writing?.ready();
  const view = unrestrictedView(session.workspace, signal);
  return { view, items: view.history.trash() };
}

const list: Endpoint = {
  method: "GET",
  path: "/api/trash",
  async handle(call): Promise<TrashList> {
    const { view, items } = await itemsIn(call);
    const nowMs = Date.now();
    const entries: TrashEntry[] = [];
    for (const { id, path, root, image, files, bytes, deletedMs, expiresMs, session, principal } of items)
      entries.push({
        id,
        path: nameWithin(root ? [root.path] : [], path),
        type: image.kind,
        files,
        bytes,
        deleted: isoOf(deletedMs),
        until: isoOf(expiresMs),
        expired: expiresMs <= nowMs,
        session,
        agent: call.sessions.agentOf(session),
        principal,
        taken: await isTaken(path, view),
      });
    return { items: entries };
  },
};

/** A place that cannot be looked at, such as below a file, holds nothing that we could replace. */
async function isTaken(path: string, view: ReturnType<typeof unrestrictedView>): Promise<boolean> {
  try {
    return (await view.stat(path, "keep")) !== null;
  } catch (error) {
    if (!isFault(error)) throw error;
    return false;
  }
}

const restoreBody = z.strictObject({ to: pathText.optional() });

/** Restores an item with the rules of the directory that it was deleted from. */
const restore: Endpoint = {
  method: "POST",
  path: "/api/trash/:/restore",
  async handle(call): Promise<object> {
    const { to } = parsed(restoreBody, call.body);
    const id = nameOf(call);
    const { items } = await itemsIn(call);
    const item = items.find((each) => each.id === id);
    if (!item) throw new Fault("not_found", `Cannot restore ${JSON.stringify(id)}: it is not in the trash`);
    const roots = item.root ? [item.root.path] : adminOf(call.app.session).rootsOutside([], item.changeId);
    await withDirectories(call, roots, (app) =>
      createAsk(app.session)("restore", { trash_id: id, ...(to !== undefined && { destination: to }) }),
    );
    return {};
  },
};

const purgeExpired: Endpoint = {
  method: "POST",
  path: "/api/trash/purge-expired",
  async handle(call): Promise<object> {
    parsed(z.strictObject({}), call.body);
    const { items } = await itemsIn(call);
    const nowMs = Date.now();
    const expired = items.filter(({ expiresMs }) => expiresMs <= nowMs).map(({ id }) => id);
    await adminOf(call.app.session).purge(expired);
    return {};
  },
};

export const trash: readonly Endpoint[] = [list, restore, purgeExpired];
