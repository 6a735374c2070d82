import type { ConfigEditor } from "../../../text/config-files/config-editor.ts";
import { jsoncEditor } from "../../../text/config-files/jsonc-editor.ts";
import { tomlEditor } from "../../../text/config-files/toml-editor.ts";
import { yamlEditor } from "../../../text/config-files/yaml-editor.ts";
import type { Directories } from "./directories.ts";
import * as shapes from "./entries.ts";

/** An MCP client: its configuration files, the key of its servers and the shape of an entry. */
export interface Client {
  readonly title: string;
  readonly editor: ConfigEditor;
  readonly key: string;
  readonly shape: shapes.EntryShape;
  /** The files of the user; the first that exists counts, or else the first. */
  readonly user: (at: Directories) => readonly [string, ...string[]];
  /** The files of a project, relative to it. Is absent if the client has none. */
  readonly project?: readonly [string, ...string[]];
  /** Directories and files that show that the client is there, besides its file. */
  readonly signs?: (at: Directories) => readonly string[];
  /** Has a newer layout with the servers one level deeper, which is used where the file has it. */
  readonly deeper?: { readonly key: string; readonly shape: shapes.EntryShape };
}

const JSON_CLIENT = { editor: jsoncEditor, key: "mcpServers", shape: shapes.PLAIN } as const;
const VSCODE_STORAGE = "Code/User/globalStorage";

/** Lists every client by the name that people type. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-code": {
    ...JSON_CLIENT,
    title: "Claude Code",
    shape: shapes.TYPED,
    user: ({ home }) => [home(".claude.json")],
    project: [".mcp.json"],
    signs: ({ home }) => [home(".claude")],
  },
  "claude-desktop": {
    ...JSON_CLIENT,
    title: "Claude Desktop",
    shape: shapes.STDIO_ONLY,
    user: ({ application }) => [application("Claude/claude_desktop_config.json")],
  },
  cursor: {
    ...JSON_CLIENT,
    title: "Cursor",
    user: ({ home }) => [home(".cursor/mcp.json")],
    project: [".cursor/mcp.json"],
  },
  vscode: {
    ...JSON_CLIENT,
    title: "VS Code",
    key: "servers",
    shape: shapes.TYPED,
    user: ({ application }) => [application("Code/User/mcp.json")],
    project: [".vscode/mcp.json"],
  },
  codex: {
    title: "Codex",
    editor: tomlEditor,
    key: "mcp_servers",
    shape: shapes.CODEX,
    user: ({ variable }) => [variable("CODEX_HOME", ".codex", "config.toml")],
    project: [".codex/config.toml"],
  },
  gemini: {
    ...JSON_CLIENT,
    title: "Gemini CLI",
    shape: shapes.HTTP_TYPED,
    user: ({ home }) => [home(".gemini/settings.json")],
    project: [".gemini/settings.json"],
  },
  opencode: {
    ...JSON_CLIENT,
    title: "opencode",
    key: "mcp",
    shape: shapes.OPENCODE,
    user: ({ home }) => [home(".config/opencode/opencode.jsonc"), home(".config/opencode/opencode.json")],
    project: ["opencode.jsonc", "opencode.json", ".opencode/opencode.jsonc", ".opencode/opencode.json"],
    deeper: { key: "servers", shape: shapes.OPENCODE_SERVERS },
  },
  copilot: {
    ...JSON_CLIENT,
    title: "GitHub Copilot CLI",
    shape: shapes.COPILOT,
    user: ({ variable }) => [variable("XDG_CONFIG_HOME", ".copilot", "mcp-config.json")],
    signs: ({ home }) => [home(".copilot")],
    project: [".mcp.json", ".github/mcp.json"],
  },
  windsurf: {
    ...JSON_CLIENT,
    title: "Windsurf",
    shape: shapes.SERVER_URL,
    user: ({ home }) => [home(".codeium/windsurf/mcp_config.json")],
  },
  zed: {
    ...JSON_CLIENT,
    title: "Zed",
    key: "context_servers",
    shape: shapes.ZED,
    user: ({ home, application, isMac }) => {
      const common = isMac ? home(".config/zed/settings.json") : application("zed/settings.json");
      return isMac ? [application("Zed/settings.json"), common] : [common];
    },
    project: [".zed/settings.json"],
  },
  cline: {
    ...JSON_CLIENT,
    title: "Cline",
    shape: shapes.CLINE,
    user: ({ application }) => [
      application(`${VSCODE_STORAGE}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`),
    ],
  },
  "cline-cli": {
    ...JSON_CLIENT,
    title: "Cline CLI",
    shape: shapes.CLINE,
    user: ({ variable }) => [variable("CLINE_DIR", ".cline", "data/settings/cline_mcp_settings.json")],
  },
  roo: {
    ...JSON_CLIENT,
    title: "Roo Code",
    shape: shapes.ROO,
    user: ({ application }) => [application(`${VSCODE_STORAGE}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`)],
    project: [".roo/mcp.json"],
  },
  kilo: {
    ...JSON_CLIENT,
    title: "Kilo Code",
    key: "mcp",
    shape: shapes.OPENCODE,
    user: ({ config }) => [config("kilo/kilo.json"), config("kilo/kilo.jsonc")],
    project: ["kilo.json", "kilo.jsonc", ".kilo/kilo.json", ".kilo/kilo.jsonc"],
  },
  goose: {
    title: "Goose",
    editor: yamlEditor,
    key: "extensions",
    shape: shapes.GOOSE,
    user: ({ config, home, isMac }) => [isMac ? home(".config/goose/config.yaml") : config("goose/config.yaml")],
    project: [".goose/config.yaml"],
  },
  "lm-studio": {
    ...JSON_CLIENT,
    title: "LM Studio",
    user: ({ home }) => [home(".lmstudio/mcp.json"), home(".cache/lm-studio/mcp.json")],
  },
  grok: {
    title: "Grok Build",
    editor: tomlEditor,
    key: "mcp_servers",
    shape: shapes.PLAIN,
    user: ({ variable }) => [variable("GROK_HOME", ".grok", "config.toml")],
    project: [".grok/config.toml"],
  },
  antigravity: {
    ...JSON_CLIENT,
    title: "Antigravity",
    shape: shapes.SERVER_URL,
    user: ({ home }) => [home(".gemini/config/mcp_config.json")],
  },
  junie: {
    ...JSON_CLIENT,
    title: "JetBrains Junie",
    shape: shapes.STDIO_ONLY,
    user: ({ home }) => [home(".junie/mcp/mcp.json")],
    project: [".junie/mcp/mcp.json"],
    signs: ({ home }) => [home(".junie")],
  },
  amp: {
    ...JSON_CLIENT,
    title: "Amp",
    key: "amp.mcpServers",
    user: ({ home }) => [home(".config/amp/settings.json")],
    project: [".amp/settings.json"],
  },
  kiro: {
    ...JSON_CLIENT,
    title: "Kiro",
    user: ({ home }) => [home(".kiro/settings/mcp.json")],
    project: [".kiro/settings/mcp.json"],
    signs: ({ home }) => [home(".kiro")],
  },
  warp: {
    ...JSON_CLIENT,
    title: "Warp",
    user: ({ home }) => [home(".warp/.mcp.json")],
    project: [".warp/.mcp.json"],
  },
  pi: {
    ...JSON_CLIENT,
    title: "Pi",
    user: ({ variable }) => [variable("PI_CODING_AGENT_DIR", ".pi/agent", "mcp.json")],
    project: [".pi/mcp.json"],
  },
  kimi: {
    ...JSON_CLIENT,
    title: "Kimi Code",
    shape: shapes.KIMI,
    user: ({ variable }) => [variable("KIMI_CODE_HOME", ".kimi-code", "mcp.json")],
    project: [".kimi-code/mcp.json"],
  },
  mastra: {
    ...JSON_CLIENT,
    title: "Mastra Code",
    user: ({ home }) => [home(".mastracode/mcp.json")],
    project: [".mastracode/mcp.json"],
  },
  fx: {
    ...JSON_CLIENT,
    title: "fx",
    key: "mcp",
    shape: shapes.FX,
    user: ({ home }) => [home(".fx/mcp.json")],
  },
};
