/** Is where the server speaks MCP. */
export const MCP_PATH = "/mcp";

/** Is where the command line asks for a link that logs in. */
export const LOGIN_LINK_PATH = "/login/link";

/** Is where people find the console. */
export const PAGE_PATH = "/console";
