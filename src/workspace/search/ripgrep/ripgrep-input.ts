import type { ProgramCommand } from "../../../base/program.ts";
import type { OpenFile } from "../../../storage/storage.ts";
import { chunksOf, sourceOfFile } from "../../read/scan.ts";
import type { View } from "../../view.ts";

/** What ripgrep reads of a single file, and the name by which it opens that. */
interface RipgrepInput {
  readonly input: NonNullable<ProgramCommand["input"]>;
  readonly path: string;
}

/**
 * Gives ripgrep a file that we hold open: what it opened by the file's name could be a FIFO by then, and keep it waiting
 * for ever. It inherits the descriptor; where something else is shown than the file holds, it reads that from a pipe.
 */
export const ripgrepInputFor = (file: OpenFile, view: View): RipgrepInput =>
  file.descriptor === undefined
    ? { input: bytesOf(file, view), path: STDIN }
    : { input: file.descriptor, path: process.platform === "linux" ? MAPPABLE_STDIN : STDIN };

const STDIN = "-";

/** Leads to the inode itself, not to a name. ripgrep maps what it opens, but reads "-" into memory line by line. */
const MAPPABLE_STDIN = "/proc/self/fd/0";

async function* bytesOf(file: OpenFile, { checkpoint }: View): AsyncGenerator<Buffer> {
  const scan = { source: sourceOfFile(file), checkpoint, progress: () => {} };
  for await (const { chunk } of chunksOf(scan, 0)) yield chunk;
}
