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
