import type { Storage } from "../../storage/storage.ts";
import type { ChangeEngine, EngineParts } from "./change-engine.ts";
import { createConditionalPuts } from "./conditional/conditional-puts.ts";
import { createTransactions } from "./transactions.ts";

/** Creates the engine for what a storage can do; undefined where it can only be read. */
export function engineFor(storage: Storage, parts: EngineParts): ChangeEngine | undefined {
  const { writer } = storage;
  if (!writer) return undefined;
  return writer.kind === "transactional"
    ? createTransactions(writer, parts)
    : createConditionalPuts(storage, writer, parts);
}
