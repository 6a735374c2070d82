/** The path of the MCP endpoint. */
export const MCP_PATH = "/mcp";

/** The path of the console. */
export const PAGE_PATH = "/console";
