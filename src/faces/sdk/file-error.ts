/** Uses fractary's codes. `STORAGE_ERROR` is ours, for failures that are neither the caller's mistake nor a refusal. */
export type FileErrorCode =
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "PERMISSION_DENIED"
  | "PATH_TRAVERSAL"
  | "IS_DIRECTORY"
  | "IS_FILE"
  | "INVALID_ARGUMENT"
  | "STORAGE_ERROR";

/** Is thrown by `FileManager`, with the codes of fractary. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
