/** One way to write a command: what it takes, what it does, and one that could be typed as it stands. */
export interface CommandLine {
  readonly takes: string;
  readonly does: string;
  readonly example: string;
}

/** Every command, with the ways to write it. Help and errors are made of this table. */
export const COMMAND_LINES = {
  mcp: [{ takes: "<dir>...", does: "serve these directories over MCP (stdio)", example: "~/project" }],
  rpc: [{ takes: "<dir>...", does: "serve them as capabilities, over JSON-RPC (stdio)", example: "~/project" }],
  call: [{ takes: "<tool> '<json>'", does: "make one call", example: `read '{"path":"README.md"}' --root .` }],
  tools: [
    {
      takes: "",
      does: "what an agent is offered; with --dialect, in the words of another system",
      example: "--dialect picoclaw",
    },
  ],
  file: [
    {
      takes: "<action> …",
      does:
        "files for scripts: read, write, list, delete, exists, copy, move, " +
        "upload, download, get-url, show-config, test-connection",
      example: "write config.json --content '{}' --json",
    },
  ],
  history: [{ takes: "[<path>]", does: "what was changed, newest first", example: "src/main.ts --limit 5" }],
  undo: [
    {
      takes: "[<change-id>]",
      does: "take back the last change that still stands, or the one named",
      example: "--since 10m --dry-run",
    },
  ],
  diff: [{ takes: "<change-id>", does: "what a change did", example: "0mb2q7k1x9a4f3c" }],
  trash: [
    { takes: "[list]", does: "what was deleted and can be brought back", example: "list" },
    { takes: "restore <trash-id|path>", does: "bring it back", example: "restore notes.txt" },
    {
      takes: "purge <trash-id|path|--expired|--all>",
      does: "remove it for good",
      example: "purge --expired --dry-run",
    },
  ],
  watch: [{ takes: "[<dir>...]", does: "tell what happens to files, as it happens; Ctrl-C ends it", example: "src" }],
  approvals: [
    { takes: "[list]", does: "what agents wait for a yes to", example: "list" },
    { takes: "show <id>", does: "exactly what would happen", example: "show 68cf3c59292d" },
    {
      takes: "approve <id> [once|session|always]",
      does: "let it happen",
      example: "approve 68cf3c59292d",
    },
    { takes: "deny <id> [<reason>]", does: "refuse it; the model is told why", example: "deny 68cf3c59292d too early" },
    { takes: "watch", does: "every question as it comes, to answer on the terminal", example: "watch" },
    { takes: "grants", does: "what is always allowed", example: "grants" },
    { takes: "revoke <grant>", does: "take that back", example: "revoke 68cf3c59292d" },
    { takes: "reset <session>", does: "let one go on that only repeated itself", example: "reset 68cf3c59" },
  ],
  audit: [
    { takes: "show", does: "what calls agents made, newest last", example: "show --tool write --code denied" },
    { takes: "verify", does: "whether a record of them was altered or removed", example: "verify" },
    { takes: "blame <path>", does: "which change wrote which line", example: "blame src/main.ts" },
  ],
  config: [{ takes: "show", does: "what holds, and where each value comes from", example: "show --config team.jsonc" }],
  policy: [
    { takes: "check <file>", does: "whether a configuration file can be used", example: "check team.jsonc" },
    {
      takes: "explain <act> <path|command>",
      does: "which rules speak, and which of them decides",
      example: "explain write secrets/key.txt",
    },
    { takes: "explain <tool>", does: "whether it is shown, and what hides it", example: "explain write" },
    { takes: "test", does: "whether the examples of all rules hold", example: "test" },
  ],
  doctor: [
    { takes: "[<dir>...]", does: "how this machine confines, what would be served, what is kept", example: "." },
  ],
  demo: [{ takes: "", does: "a tour of a few seconds, on a temporary directory", example: "" }],
  help: [{ takes: "[<command>]", does: "this, or what one command takes", example: "undo" }],
} as const satisfies Readonly<Record<string, readonly CommandLine[]>>;

export type CommandName = keyof typeof COMMAND_LINES;

/** The first word of a way to write a command, where it has one of its own. */
export const verbOf = ({ takes }: CommandLine): string => /^\[?([a-z-]+)/.exec(takes)?.[1] ?? "";
