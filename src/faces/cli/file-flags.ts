/** Lists the flags of commands that write files. */
export const FILE_FLAGS = {
  content: { type: "string", value: "<text>", only: ["file"], help: "Write this text" },
  file: { type: "string", value: "<path>", only: ["file"], help: "Write the content of this local file" },
  encoding: {
    type: "string",
    value: "<name>",
    only: ["file"],
    help: 'Set the encoding of the text, such as latin1; "base64" for bytes',
  },
  overwrite: { type: "boolean", only: ["file", "trash"], help: "Replace a file that exists" },
} as const;

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
