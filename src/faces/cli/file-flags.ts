/** Holds the flags of commands that write or list files. */
export interface FileFlags {
  readonly content?: string | undefined;
  /** The local file with the content. */
  readonly file?: string | undefined;
  readonly encoding?: string | undefined;
  readonly overwrite?: boolean | undefined;
  /** The path to restore to. */
  readonly to?: string | undefined;
  readonly pattern?: string | undefined;
  readonly recursive?: boolean | undefined;
}

/** Picks these flags out of all that were given. */
export const fileFlagsOf = ({ content, file, encoding, overwrite, to, pattern, recursive }: FileFlags): FileFlags => ({
  content,
  file,
  encoding,
  overwrite,
  to,
  pattern,
  recursive,
});
