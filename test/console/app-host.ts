import { build } from "esbuild";

/** A chat in a browser: the official bridge shows a view in a sandboxed frame and passes on what it asks for. */
const HOST = `
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

globalThis.showView = async (html, result, theme) => {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.width = "640";
  frame.title = "view";
  frame.srcdoc = html;
  document.body.replaceChildren(frame);
  const capabilities = { openLinks: {}, serverTools: {}, updateModelContext: { text: {} } };
  const bridge = new AppBridge(null, { name: "chat", version: "1" }, capabilities, { hostContext: { theme } });
  bridge.oncalltool = ({ name, arguments: input }) => callTool(name, input ?? {});
  bridge.onopenlink = async ({ url }) => (await heard("link", url), {});
  bridge.onupdatemodelcontext = async ({ content }) => (await heard("model", content[0].text), {});
  bridge.onsizechange = ({ height }) => void (frame.height = String(height));
  const ready = new Promise((resolve) => (bridge.oninitialized = resolve));
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await ready;
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(result);
};
`;

let bundled: Promise<string> | undefined;

/** Returns the script of the chat. */
export const hostScript = (): Promise<string> => (bundled ??= bundle());

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: HOST, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
