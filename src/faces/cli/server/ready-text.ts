import { LIMITS } from "../../../base/limits.ts";
import { PRODUCT } from "../../../base/product.ts";
import { MCP_PATH } from "../../http/paths.ts";
import { ownProgram } from "../install/connection.ts";
import { colored } from "../terminal.ts";

/** Holds what people and programs need to use the server. */
export interface ReadyServer {
  /** The address of the server, without a path. */
  readonly url: string;
  /** The link that logs in whoever opens it first. */
  readonly link: string;
}

/** Formats the line for programs. */
export const readyJson = ({ url, link }: ReadyServer, token: string): string =>
  JSON.stringify({ url: url + MCP_PATH, token, console: link });

/** Formats the addresses, and configuration for clients. The token is not shown: it would stay in the terminal. */
export function readyText({ url, link }: ReadyServer, roots: readonly string[]): string {
  const mcp = url + MCP_PATH;
  return [
    `${PRODUCT.title} ${PRODUCT.version} serves ${roots.join(", ")}`,
    `  MCP      ${colored("place", mcp)}`,
    `  console  ${colored("place", link)}`,
    colored(
      "dim",
      `           The link works once, for ${LIMITS.loginCodeMs / 60_000} minutes; holdfast status prints another`,
    ),
    "",
    "For clients that speak HTTP, with the token that holdfast token prints; holdfast install --http adds it:",
    block({ holdfast: { type: "http", url: mcp, headers: { Authorization: "Bearer ${HOLDFAST_TOKEN}" } } }),
    "",
    "For clients that start a program, without a token:",
    block({ holdfast: ownProgram(["mcp", "--connect", mcp]) }),
  ].join("\n");
}

const block = (servers: object): string =>
  JSON.stringify({ mcpServers: servers }, null, 2)
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
