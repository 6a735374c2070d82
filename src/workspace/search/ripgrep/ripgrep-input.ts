import type { ProgramCommand } from "../../../base/program.ts";
import type { OpenFile } from "../../../storage/storage.ts";
import { chunksOf, sourceOfFile } from "../../read/scan.ts";
import type { View } from "../../view.ts";

/** The standard input of ripgrep, and the path by which ripgrep opens it. */
interface RipgrepInput {
  readonly input: NonNullable<ProgramCommand["input"]>;
  readonly path: string;
}

/**
 * Passes ripgrep a file that we hold open: if it opened the file by name, that could be a FIFO by then and block it for
 * ever. ripgrep inherits the descriptor; a file whose shown content differs from its bytes has none and is piped.
 */
export const ripgrepInputFor = (file: OpenFile, view: View): RipgrepInput =>
  file.descriptor === undefined
    ? { input: bytesOf(file, view), path: STDIN }
    : { input: file.descriptor, path: process.platform === "linux" ? MAPPABLE_STDIN : STDIN };

const STDIN = "-";

/** Refers to the open inode, not to a name. ripgrep maps a file that it opens, but reads "-" into memory. */
const MAPPABLE_STDIN = "/proc/self/fd/0";

async function* bytesOf(file: OpenFile, { checkpoint }: View): AsyncGenerator<Buffer> {
  const scan = { source: sourceOfFile(file), checkpoint, progress: () => {} };
  for await (const { chunk } of chunksOf(scan, 0)) yield chunk;
}
