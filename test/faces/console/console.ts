import { type CallResult, callerOf } from "../../runtime/scratch.ts";
import { createLoginPath } from "../../../src/faces/http/login-code.ts";
import { OPERATOR_KEY, request, served } from "../http/served.ts";
import type { Options } from "../../../src/app/options.ts";

/** The console of a scratch workspace, with a person who logged in and an agent that works there. */
export async function consoleOn(root: string, options: Partial<Options> = {}) {
  const server = await served(root, {}, { secrets: "off", ...options });
  const agent = callerOf(server.own.app);
  const login = await logIn(server);
  const ask = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    // Records are written a moment after the answer.
    server.own.app.session.audit.flush();
    return server.fetch(
      request(path, {
        method,
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        headers: { ...login.headers, "content-type": "application/json", ...headers },
      }),
    );
  };
  return {
    ...server,
    login,
    agent,
    session: server.own.app.session.facts.id,
    ask,
    get: async <Data>(path: string): Promise<Data> => (await ask("GET", path)).json() as Promise<Data>,
    post: async (path: string, body: unknown = {}): Promise<{ readonly status: number; readonly body: unknown }> => {
      const response = await ask("POST", path, body);
      return { status: response.status, body: await response.json() };
    },
  };
}

export async function logIn({ fetch }: Pick<Awaited<ReturnType<typeof served>>, "fetch">) {
  const response = await fetch(request(createLoginPath(OPERATOR_KEY)));
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const key = response.headers.get("location")?.split("=")[1] ?? "";
  return { cookie, key, headers: { cookie, "x-holdfast": "1", "x-holdfast-key": key } };
}

/** Returns the id of the change that a call made. */
export const changeIn = ({ data, text }: CallResult): string => {
  const id = (data as { readonly change_id?: string }).change_id;
  if (id === undefined) throw new Error(`No change: ${text}`);
  return id;
};
