import { randomUUID } from "node:crypto";
import { FileError } from "../../sdk/file-error.ts";
import type { ActionContext, ActionResult } from "./action.ts";

/** Lists, writes, reads and deletes in a storage. Throws the first failure. */
export async function testConnection({ files, storage }: ActionContext): Promise<ActionResult> {
  const name = `.holdfast-probe-${randomUUID()}`;
  await files.list(undefined, storage);
  await files.write(name, PROBE, storage);
  const content = await files.read(name, storage).finally(() => files.delete(name, storage));
  if (content !== PROBE)
    throw new FileError("STORAGE_ERROR", "Cannot use the storage: it returned other content than was written");
  return {
    data: { ...storage, passed: true, tested: TESTED },
    text: `Connection test passed: ${TESTED.join(", ")}`,
  };
}

const PROBE = "Written by a connection test of Holdfast; may be deleted.\n";
const TESTED = ["list", "write", "read", "delete"];
