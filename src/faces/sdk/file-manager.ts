import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createApp } from "../../app/app.ts";
import type { Options } from "../../app/options.ts";
import { loadDialect } from "../../dialects/load.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import { FileError, type FileErrorCode } from "./file-error.ts";
import { type CallDialectTool, isLarge, readInParts, writeInPieces, type WrittenFile } from "./large-files.ts";

export interface FileManagerOptions extends Omit<Options, "roots" | "dialect"> {
  /** The storage that is meant where no source is named. */
  readonly basePath: string;
}

export interface StorageOptions {
  /** One of the named sources. */
  readonly source?: string | undefined;
}

export interface ReadOptions extends StorageOptions {
  /** UTF-8 unless said otherwise. */
  readonly encoding?: string | undefined;
}

export interface WriteOptions extends ReadOptions {
  /** Replace a file that exists; otherwise that is an error. */
  readonly overwrite?: boolean | undefined;
}

export interface ListOptions extends StorageOptions {
  /** A glob that the path below the directory must fit. */
  readonly pattern?: string | undefined;
  readonly recursive?: boolean | undefined;
}

export type RelocateOptions = Omit<WriteOptions, "encoding">;

export interface FileInfo {
  /** From the top of its storage; that of a directory ends in a slash. */
  readonly path: string;
  readonly name: string;
  readonly isDirectory: boolean;
  readonly size?: number;
  readonly modifiedAt?: string;
  /** A directory whose content could not be listed. */
  readonly unreadable?: true;
}

export interface RelocatedFile extends Omit<WrittenFile, "path"> {
  readonly source: string;
  readonly destination: string;
}

/** The operations of fractary's file toolset in process, over the same engine. Every failure is a `FileError`. */
export interface FileManager {
  /** Text. What is no text in the encoding is refused, not damaged. */
  read(path: string, options?: ReadOptions): Promise<string>;
  readBytes(path: string, options?: StorageOptions): Promise<Buffer>;
  /** Bytes are written as they are; an encoding is for text. */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<WrittenFile>;
  list(path?: string, options?: ListOptions): Promise<readonly FileInfo[]>;
  /** Into the trash. */
  delete(path: string, options?: StorageOptions): Promise<void>;
  exists(path: string, options?: StorageOptions): Promise<boolean>;
  copy(source: string, destination: string, options?: RelocateOptions): Promise<RelocatedFile>;
  move(source: string, destination: string, options?: RelocateOptions): Promise<RelocatedFile>;
  /** Of a file that exists; in a folder its URL is one of this machine, and does not expire. */
  getUrl(path: string, options?: StorageOptions): Promise<string>;
  close(): void;
}

/** Throws when the base cannot be used; a source that cannot be used fails when it is. */
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
  const wanted = { path, source, overwrite };
  if (typeof content === "string") return ask("write", { ...wanted, content, encoding });
  if (isLarge(content)) return writeInPieces(ask, content, wanted);
  return ask("write", { ...wanted, content: Buffer.from(content).toString("base64"), encoding: "base64" });
}

interface Envelope {
  readonly data: unknown;
  readonly error: { readonly code: FileErrorCode; readonly message: string };
}

/** Calls a tool of the dialect and opens its envelope. */
const createDialectCall =
  (surface: Surface): CallDialectTool =>
  async <Data>(tool: string, input: Readonly<Record<string, unknown>>) => {
    const request = { tool: `fractary_file_${tool}`, input, signal: { aborted: false }, mayRepeat: true };
    const { isError, data } = await surface.call(request);
    const envelope = data as unknown as Envelope;
    if (isError) throw new FileError(envelope.error.code, envelope.error.message);
    return envelope.data as Data;
  };
