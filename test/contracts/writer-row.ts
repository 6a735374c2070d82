import type { StorageWriter, ObjectName } from "../../src/storage/writer.ts";
import type { SafePath } from "../../src/storage/storage.ts";

/** What a row works with. */
export interface Bench {
  readonly writer: StorageWriter;
  at(way: string): SafePath;
  object(name: string): ObjectName;
}

/** One use of the hands, and everything that must be different afterwards. */
export interface Row {
  readonly name: string;
  readonly act: (bench: Bench) => unknown;
  readonly gives?: unknown;
  readonly minus?: readonly string[];
  readonly plus?: readonly string[];
  readonly kept?: Readonly<Record<string, string>>;
}
