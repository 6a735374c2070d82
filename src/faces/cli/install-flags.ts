/** Lists the flags of `holdfast install`. */
export const INSTALL_FLAGS = {
  list: { type: "boolean", only: ["install"], help: "List the clients, which of them are here, and their files" },
  print: { type: "boolean", only: ["install"], help: "Print the block for the configuration file; write nothing" },
  remove: { type: "boolean", only: ["install"], help: "Remove Holdfast from the client" },
  project: { type: "boolean", only: ["install"], help: "Use the file of the project in the current directory" },
  http: {
    type: "string",
    value: "<url>",
    only: ["install"],
    help: "Connect to a running server instead of starting one; HOLDFAST_TOKEN is its token",
  },
  name: { type: "string", value: "<name>", only: ["install"], help: "Name the entry (default holdfast)" },
} as const;

/** Holds the flags of `holdfast install`. */
export interface InstallFlags {
  readonly list?: boolean | undefined;
  readonly print?: boolean | undefined;
  readonly remove?: boolean | undefined;
  readonly project?: boolean | undefined;
  readonly http?: string | undefined;
  readonly name?: string | undefined;
}

/** Picks these flags out of all that were given. */
export const installFlagsOf = ({ list, print, remove, project, http, name }: InstallFlags): InstallFlags => ({
  list,
  print,
  remove,
  project,
  http,
  name,
});
