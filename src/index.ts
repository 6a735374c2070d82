export type { Options } from "./app.ts";
export { CODES, type Code, Fault } from "./base/errors.ts";
export { type Dialect, type DialectTool, dialectTool, type Said, say } from "./dialects/dialect.ts";
export { DIALECT_NAMES, loadDialect } from "./dialects/load.ts";
export type { Native } from "./dialects/native.ts";
export { FileError, type FileErrorCode } from "./faces/sdk/file-error.ts";
export {
  createFileManager,
  type FileInfo,
  type FileManager,
  type FileManagerOptions,
  type ListOptions,
  type ReadOptions,
  type RelocatedFile,
  type RelocateOptions,
  type StorageOptions,
  type WriteOptions,
} from "./faces/sdk/file-manager.ts";
export type { WrittenFile } from "./faces/sdk/large-files.ts";
export {
  type CallOptions,
  type CallResult,
  createHoldfast,
  type HistoryOptions,
  type Holdfast,
  type UndoOptions,
} from "./faces/sdk/holdfast.ts";
export type { WatchedEvent, WatchOptions } from "./faces/sdk/watching.ts";
export type { OfferedTool } from "./runtime/surface.ts";
