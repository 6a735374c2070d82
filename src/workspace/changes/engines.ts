import type { Writer } from "../../storage/storage.ts";
import type { ChangeEngine, EngineParts } from "./change-engine.ts";
import { createTransactions } from "./transactions.ts";

/** Creates the engine for what a storage can do; undefined where it can only be read. */
export function engineFor(writer: Writer | null, parts: EngineParts): ChangeEngine | undefined {
  return writer?.kind === "transactional" ? createTransactions(writer, parts) : undefined;
}
