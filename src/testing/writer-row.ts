import type { StorageWriter, ObjectName } from "../storage/writer.ts";
import type { SafePath, Storage } from "../storage/storage.ts";

/** Returns the synchronous writer of a storage that has one. */
export function writerOf({ writer }: Storage): StorageWriter {
  if (writer?.kind === "transactional") return writer.writer;
  throw new Error("This storage has no synchronous writer");
}

/** The writer of a new tree, with helpers for its paths. */
export interface WriterFixture {
  readonly writer: StorageWriter;
  at(path: string): SafePath;
  object(name: string): ObjectName;
}

/** One use of the writer, and everything that must be different afterwards. */
export interface Row {
  readonly name: string;
  readonly act: (fixture: WriterFixture) => unknown;
  readonly gives?: unknown;
  readonly minus?: readonly string[];
  readonly plus?: readonly string[];
  readonly kept?: Readonly<Record<string, string>>;
}
