import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createApp } from "../../app/app.ts";
import type { Options } from "../../app/options.ts";
import { loadDialect } from "../../dialects/load.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import { FileError, type FileErrorCode } from "./file-error.ts";
import { type CallDialectTool, isLarge, readInParts, writeInPieces, type WrittenFile } from "./large-files.ts";

export interface FileManagerOptions extends Omit<Options, "roots" | "dialect"> {
  /** The directory that is used when no source is named. */
  readonly basePath: string;
}

export interface StorageOptions {
  /** The name of a source. */
  readonly source?: string | undefined;
}

export interface ReadOptions extends StorageOptions {
  /** Defaults to UTF-8. */
  readonly encoding?: string | undefined;
}

export interface WriteOptions extends ReadOptions {
  /** Replaces a file that exists. Without it, that is an error. */
  readonly overwrite?: boolean | undefined;
}

export interface ListOptions extends StorageOptions {
  /** A glob that the path below the directory must match. */
  readonly pattern?: string | undefined;
  readonly recursive?: boolean | undefined;
}

export type RelocateOptions = Omit<WriteOptions, "encoding">;

export interface FileInfo {
  /** Is relative to its storage. The path of a directory ends in a slash. */
  readonly path: string;
  readonly name: string;
  readonly isDirectory: boolean;
  readonly size?: number;
  readonly modifiedAt?: string;
  /** Is set for a directory that could not be listed. */
  readonly unreadable?: true;
}

export interface RelocatedFile extends Omit<WrittenFile, "path"> {
  readonly source: string;
  readonly destination: string;
}

/** Offers the operations of fractary's file toolset in process, over the same engine. All failures are `FileError`s. */
export interface FileManager {
  /** Returns the text of a file. Rejects when the bytes are not valid in the encoding, so that none are lost. */
  read(path: string, options?: ReadOptions): Promise<string>;
  readBytes(path: string, options?: StorageOptions): Promise<Buffer>;
  /** Writes a file. Bytes are written as they are: the encoding applies to text only. */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<WrittenFile>;
  list(path?: string, options?: ListOptions): Promise<readonly FileInfo[]>;
  /** Moves a file to the trash. */
  delete(path: string, options?: StorageOptions): Promise<void>;
  exists(path: string, options?: StorageOptions): Promise<boolean>;
  copy(source: string, destination: string, options?: RelocateOptions): Promise<RelocatedFile>;
  move(source: string, destination: string, options?: RelocateOptions): Promise<RelocatedFile>;
  /** Returns the `file:` URL of a file that exists. It does not expire. */
  getUrl(path: string, options?: StorageOptions): Promise<string>;
  close(): void;
}

/**
 * Opens the storages. Rejects when `basePath` cannot be used. A source that cannot be used fails when it is accessed.
 */
export async function createFileManager({ basePath, ...options }: FileManagerOptions): Promise<FileManager> {
  const app = createApp({ ...options, roots: [basePath], dialect: await loadDialect("fractary") });
  const ask = createDialectCall(app.surface);
  const exists: FileManager["exists"] = async (path, { source } = {}) =>
    (await ask<{ exists: boolean }>("exists", { path, source })).exists;
  const relocate = (doing: "copy" | "move"): FileManager["copy"] =>
    async function relocated(source, destination, { overwrite, source: sourceStorage } = {}) {
      return ask<RelocatedFile>(doing, { source, destination, overwrite, sourceStorage });
    };
  return {
    read: async (path, given = {}) => (await ask<{ content: string }>("read", { path, ...given })).content,
    readBytes: (path, { source } = {}) => readInParts(ask, path, source),
    write: (path, content, given = {}) => write(ask, path, content, given),
    list: async (path, given = {}) => (await ask<{ files: readonly FileInfo[] }>("list", { path, ...given })).files,
    delete: async (path, { source } = {}) => void (await ask("delete", { path, source })),
    exists,
    copy: relocate("copy"),
    move: relocate("move"),
    async getUrl(path, given = {}) {
      if (!(await exists(path, given))) throw new FileError("NOT_FOUND", `File '${path}' not found`);
      const directory = given.source === undefined ? basePath : (options.sources?.[given.source] ?? "");
      return pathToFileURL(resolve(directory, path)).href;
    },
    close: app.close,
  };
}

async function write(
  ask: CallDialectTool,
  path: string,
  content: string | Uint8Array,
  { source, overwrite, encoding }: WriteOptions,
): Promise<WrittenFile> {
  const target = { path, source, overwrite };
  if (typeof content === "string") return ask("write", { ...target, content, encoding });
  if (isLarge(content)) return writeInPieces(ask, content, target);
  return ask("write", { ...target, content: Buffer.from(content).toString("base64"), encoding: "base64" });
}

interface Envelope {
  readonly data: unknown;
  readonly error: { readonly code: FileErrorCode; readonly message: string };
}

/** Calls a tool of the dialect and returns the data of its envelope, or throws the error in it. */
const createDialectCall =
  (surface: Surface): CallDialectTool =>
  async <Data>(tool: string, input: Readonly<Record<string, unknown>>) => {
    const { isError, data } = await surface.call({
      tool: `fractary_file_${tool}`,
      input,
      signal: { aborted: false },
      repeats: true,
    });
    const envelope = data as unknown as Envelope;
    if (isError) throw new FileError(envelope.error.code, envelope.error.message);
    return envelope.data as Data;
  };
