/** What fractary calls each failure; the last is ours, for what is neither the caller's doing nor a refusal. */
export type FileErrorCode =
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "PERMISSION_DENIED"
  | "PATH_TRAVERSAL"
  | "IS_DIRECTORY"
  | "IS_FILE"
  | "INVALID_ARGUMENT"
  | "STORAGE_ERROR";

/** What `FileManager` throws, with the codes that users of fractary know. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
