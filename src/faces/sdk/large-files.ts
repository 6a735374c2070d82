import { randomUUID } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import { FileError } from "./file-error.ts";

/** Calls a tool of the dialect, without its prefix. Throws a `FileError`. */
export type CallDialectTool = <Data>(tool: string, input: Readonly<Record<string, unknown>>) => Promise<Data>;

/** The number of bytes that fit into one message as base64. */
const PIECE_BYTES = (LIMITS.messageBytes / 4) * 3;

export const isLarge = (bytes: Uint8Array): boolean => bytes.length > PIECE_BYTES;

interface Part {
  readonly content: string;
  readonly size: number;
  readonly version: string;
}

/** Reads a whole file in several calls. Throws when its version changes in between. */
export async function readInParts(ask: CallDialectTool, path: string, source: string | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  let [offset, first] = [0, undefined as Part | undefined];
  do {
    const part = await ask<Part>("read", { path, source, encoding: "base64", offset, length: LIMITS.pageBytesMost });
    first ??= part;
    const bytes = Buffer.from(part.content, "base64");
    if (part.version !== first.version || (bytes.length === 0 && offset < part.size))
      throw new FileError("STORAGE_ERROR", `Cannot read '${path}': it changed while it was read; try again`);
    parts.push(bytes);
    offset += bytes.length;
  } while (offset < first.size);
  return Buffer.concat(parts);
}

export interface WrittenFile {
  readonly path: string;
  readonly fullPath: string;
  /** In bytes. */
  readonly size: number;
}

export interface LargeWrite {
  readonly path: string;
  readonly source: string | undefined;
  readonly overwrite: boolean | undefined;
}

/** Writes to a temporary file in the same directory and moves it into place, so that nobody sees half a file. */
export async function writeInPieces(ask: CallDialectTool, bytes: Uint8Array, target: LargeWrite): Promise<WrittenFile> {
  const { path, source, overwrite } = target;
  const part = `${path}.${randomUUID()}.part`;
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, nth) =>
    bytes.subarray(nth * PIECE_BYTES, (nth + 1) * PIECE_BYTES),
  );
  try {
    for (const [nth, piece] of pieces.entries()) {
      const content = Buffer.from(piece).toString("base64");
      await ask("write", { path: part, source, content, encoding: "base64", append: nth > 0 });
    }
    const moving = { source: part, destination: path, overwrite, sourceStorage: source };
    const { fullPath } = await ask<WrittenFile>("move", moving);
    return { path, fullPath, size: bytes.length };
  } catch (error) {
    await ask("delete", { path: part, source }).catch(() => {});
    throw error;
  }
}
