/** One form of a command: its arguments, its purpose and an example. */
export interface CommandLine {
  readonly takes: string;
  readonly does: string;
  readonly example: string;
}

/** Lists the forms of every command. Help and errors are made from this table. */
export const COMMAND_LINES = {
  mcp: [
    { takes: "<dir>...", does: "Serve directories over MCP (stdio)", example: "~/project" },
    {
      takes: "--connect <url>",
      does: "Connect a client that speaks stdio to a server that holdfast up started",
      example: "--connect http://127.0.0.1:4747/mcp",
    },
  ],
  up: [
    { takes: "[<dir>...]", does: "Serve directories over HTTP to all your clients", example: "~/project" },
    { takes: "--background", does: "Start that server in the background", example: "~/project --background" },
    { takes: "--unit", does: "Print a systemd unit that starts it", example: "~/project --unit" },
  ],
  status: [{ takes: "", does: "Show where the server runs, with a link that logs you in", example: "" }],
  stop: [{ takes: "", does: "Stop the server once its calls are answered", example: "" }],
  token: [
    { takes: "[<account>]", does: "Print the token that clients send", example: "" },
    { takes: "rotate [<account>]", does: "Replace the token; the old one is refused at once", example: "rotate" },
  ],
  rpc: [{ takes: "<dir>...", does: "Serve directories as capabilities over JSON-RPC (stdio)", example: "~/project" }],
  install: [
    {
      takes: "[<client>...]",
      does: "Add Holdfast to MCP clients; without one, ask on the terminal",
      example: "claude-code cursor --root ~/project",
    },
  ],
  call: [{ takes: "<tool> '<json>'", does: "Call a tool", example: `read '{"path":"README.md"}' --root .` }],
  tools: [
    {
      takes: "",
      does: "List the tools that an agent gets; with --dialect, those of another system",
      example: "--dialect picoclaw",
    },
  ],
  read: [{ takes: "<path>...", does: "Show files", example: "README.md --limit 20" }],
  ls: [{ takes: "[<dir>]", does: "List a directory", example: "src" }],
  tree: [{ takes: "[<dir>]", does: "Show a directory tree", example: "src --levels 2" }],
  find: [{ takes: "<glob> [<dir>]", does: "Find files by name", example: "'*.ts' src" }],
  grep: [{ takes: "<pattern> [<path>]", does: "Search in files; fails if nothing matches", example: "-i todo src" }],
  edit: [
    {
      takes: "<path> --old <text> --new <text>",
      does: "Replace text in a file",
      example: "notes.txt --old tea --new coffee --dry-run",
    },
  ],
  file: [
    {
      takes: "<action> …",
      does:
        "Use files in scripts: read, write, list, delete, exists, copy, move, " +
        "upload, download, get-url, show-config, test-connection",
      example: "write config.json --content '{}' --json",
    },
  ],
  history: [{ takes: "[<path>]", does: "List changes, newest first", example: "src/main.ts --limit 5" }],
  undo: [
    {
      takes: "[<change-id>]",
      does: "Undo the last change that is still in effect, or the named one",
      example: "--since 10m --dry-run",
    },
  ],
  diff: [{ takes: "<change-id>", does: "Show a change as a patch", example: "0mb2q7k1x9a4f3c" }],
  trash: [
    { takes: "[list]", does: "List deleted files that can be restored", example: "list" },
    { takes: "restore <trash-id|path>", does: "Restore a deleted file", example: "restore notes.txt" },
    {
      takes: "purge <trash-id|path|--expired|--all>",
      does: "Delete permanently",
      example: "purge --expired --dry-run",
    },
  ],
  jobs: [
    { takes: "[list]", does: "List commands that agents run or ran", example: "list" },
    { takes: "show <id>", does: "Show a job and the end of its output", example: "show qfzkdw" },
    { takes: "log <id>", does: "Print all output of a job that is kept", example: "log qfzkdw" },
    { takes: "stop <id>", does: "End a job with all that it started", example: "stop qfzkdw" },
    {
      takes: "apply <id> [ours|theirs]",
      does: "Apply what it changed; in a conflict, keep your files or take its own",
      example: "apply qfzkdw theirs",
    },
    { takes: "discard <id>", does: "Drop what it changed", example: "discard qfzkdw" },
  ],
  watch: [{ takes: "[<dir>...]", does: "Print file events as they happen; stop with Ctrl-C", example: "src" }],
  approvals: [
    { takes: "[list]", does: "List pending approvals of all agents", example: "list" },
    { takes: "show <id>", does: "Show exactly what would happen", example: "show 68cf3c59292d" },
    {
      takes: "approve <id> [once|session|always]",
      does: "Approve a call",
      example: "approve 68cf3c59292d",
    },
    {
      takes: "deny <id> [<reason>]",
      does: "Deny a call; the model is told the reason",
      example: "deny 68cf3c59292d too early",
    },
    { takes: "watch", does: "Wait for approvals and answer them on the terminal", example: "watch" },
    { takes: "grants", does: "List what is always allowed", example: "grants" },
    { takes: "revoke <grant>", does: "Revoke a grant", example: "revoke 68cf3c59292d" },
    {
      takes: "reset <session>",
      does: "Let a session continue that was stopped for repeating itself",
      example: "reset 68cf3c59",
    },
  ],
  audit: [
    { takes: "show", does: "List the calls of agents, newest last", example: "show --tool write --code denied" },
    { takes: "verify", does: "Check that no record was altered or removed", example: "verify" },
    { takes: "blame <path>", does: "Show which change wrote each line", example: "blame src/main.ts" },
  ],
  config: [
    {
      takes: "show",
      does: "Show the configuration in effect and where each value comes from",
      example: "show --config team.jsonc",
    },
  ],
  policy: [
    { takes: "check <file>", does: "Check a configuration file", example: "check team.jsonc" },
    {
      takes: "explain <act> <path|command>",
      does: "Show which rules match, and which of them decides",
      example: "explain write secrets/key.txt",
    },
    { takes: "explain <tool>", does: "Show if a tool is visible, and what hides it", example: "explain write" },
    { takes: "test", does: "Test the examples of all rules", example: "test" },
  ],
  doctor: [
    { takes: "[<dir>...]", does: "Show containment, served directories and stored state", example: "." },
    {
      takes: "--give-up <id>",
      does: "Allow changes again where an interrupted one cannot be rolled back",
      example: "--give-up 1f0c9a72be4",
    },
  ],
  demo: [{ takes: "", does: "Run a tour of a few seconds in a temporary directory", example: "" }],
  completion: [
    { takes: "<bash|zsh|fish>", does: "Print a script that completes commands in a shell", example: "bash" },
  ],
  help: [{ takes: "[<command>]", does: "Show this help, or the help of one command", example: "undo" }],
} as const satisfies Readonly<Record<string, readonly CommandLine[]>>;

export type CommandName = keyof typeof COMMAND_LINES;

/** Returns the verb of a form, such as "list", or an empty string. */
export const verbOf = ({ takes }: CommandLine): string => /^\[?([a-z-]+)/.exec(takes)?.[1] ?? "";
