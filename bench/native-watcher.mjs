// Serves a native watcher library on stdio, for comparison. Its argument is the path of the library.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , library = ""] = process.argv;
const { subscribe } = (await import(pathToFileURL(library).href)).default;

const METHODS = {
  initialize: async ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "watcher", version: "1" },
  }),
  "tools/list": async () => ({ tools: [] }),
  "tools/call": async ({ arguments: { path } }) => {
    await subscribe(path, () => {});
    return { content: [{ type: "text", text: `watching ${path}` }] };
  },
};

for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: await METHODS[method](params) })}\n`);
}
process.exit();
