/** Headers of every response but those of MCP: no caching, no framing, no guessing of types. */
const SAFE_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
};

type Headers = Readonly<Record<string, string>>;

export const jsonResponse = (status: number, body: unknown, headers: Headers = {}): Response =>
  Response.json(body, { status, headers: { ...SAFE_HEADERS, ...headers } });

export const textResponse = (status: number, text: string, headers: Headers = {}): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { ...SAFE_HEADERS, "Content-Type": "text/plain; charset=utf-8", ...headers },
  });

/** Refuses a request, in the form that clients of MCP and programs can read. */
export const refusal = (status: number, message: string, headers: Headers = {}): Response =>
  jsonResponse(status, { jsonrpc: "2.0", error: { code: REFUSED, message }, id: null }, headers);

/** The first code that JSON-RPC leaves to servers. */
const REFUSED = -32_000;

export const redirectTo = (location: string, headers: Headers = {}): Response =>
  new Response(null, { status: 303, headers: { ...SAFE_HEADERS, Location: location, ...headers } });
