/** Holds the parts of a tool's result that views show. */
export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Talks to the chat that shows the view. */
export interface Host {
  /** Calls a tool as the model could; undefined where the chat does not pass calls on. */
  readonly call: ((name: string, input: object) => Promise<ToolResult>) | undefined;
  openLink(url: string): Promise<unknown>;
  /** Tells the model what was done here, with its next turn. */
  informModel(text: string): void;
}

interface InitializeResult {
  readonly hostCapabilities?: { readonly serverTools?: unknown; readonly updateModelContext?: unknown };
  readonly hostContext?: HostContext;
}

interface HostContext {
  readonly theme?: string;
}

/** Opens the conversation, then passes each result of the tool to `show`. */
export async function connect(name: string, show: (result: ToolResult, host: Host) => void): Promise<void> {
  const { request, notify, onNotification } = createChannel();
  let host: Host | undefined;
  const early: ToolResult[] = [];
  onNotification("ui/notifications/host-context-changed", (params) => applyTheme(params as HostContext));
  onNotification("ui/notifications/tool-result", (params) => {
    if (host) show(params as ToolResult, host);
    else early.push(params as ToolResult);
  });
  const { hostCapabilities = {}, hostContext } = (await request("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name, version: "1" },
    appCapabilities: {},
  })) as InitializeResult;
  applyTheme(hostContext);
  host = {
    call: hostCapabilities.serverTools
      ? (tool, input) => request("tools/call", { name: tool, arguments: input }) as Promise<ToolResult>
      : undefined,
    openLink: (url) => request("ui/open-link", { url }),
    informModel(text) {
      if (hostCapabilities.updateModelContext)
        void request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
    },
  };
  notify("ui/notifications/initialized", {});
  reportSize(notify);
  for (const result of early) show(result, host);
}

function applyTheme(context: HostContext | undefined): void {
  if (context?.theme === "light" || context?.theme === "dark")
    document.documentElement.dataset["theme"] = context.theme;
}

/** Reports the height, so that the chat gives the view exactly the room that it needs. */
function reportSize(notify: Channel["notify"]): void {
  const report = (): void => {
    const { width, height } = document.body.getBoundingClientRect();
    notify("ui/notifications/size-changed", { width: Math.ceil(width), height: Math.ceil(height) });
  };
  new ResizeObserver(report).observe(document.body);
  report();
}

interface Channel {
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  onNotification(method: string, handle: (params: unknown) => void): void;
}

interface Message {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

/** A sandboxed document does not know the origin of its host, which has seen everything that it sends. */
const send = (message: object): void => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

/** Exchanges JSON-RPC with the window around this one. Messages of other windows are ignored. */
function createChannel(): Channel {
  const waiting = new Map<unknown, (message: Message) => void>();
  const handlers = new Map<string, (params: unknown) => void>();
  let last = 0;
  addEventListener("message", ({ source, data }: MessageEvent<Message | undefined>) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return;
    const { id, method, params } = data;
    if (method === undefined) waiting.get(id)?.(data);
    else if (id === undefined) handlers.get(method)?.(params);
    // The chat asks whether the view can end: there is nothing to save.
    else send({ id, result: {} });
  });
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error) reject(new Error(error.message ?? "The chat refused it"));
          else resolve(result);
        });
        send({ id, method, params });
      }),
    notify: (method, params) => send({ method, params }),
    onNotification: (method, handle) => void handlers.set(method, handle),
  };
}
