import { signal } from "@preact/signals";
import type { Refusal } from "../../contract.ts";
import { loginKey } from "./login.ts";

/** Is true once the server no longer knows this browser. */
export const isSignedOut = signal(false);

export type Query = Readonly<Record<string, string | undefined>>;

/** Asks the server for something. The cookie of the login says who asks. */
export const get = async <T>(path: string, query: Query = {}): Promise<T> =>
  (await answerTo(`${path}${queryText(query)}`, { headers: HEADERS })).json() as Promise<T>;

/** Asks for a file to save. */
export const getFile = async (path: string, query: Query): Promise<Blob> =>
  (await answerTo(`${path}${queryText(query)}`, { headers: HEADERS })).blob();

/** Tells the server to do something. The key of the login says that this page asks, and no other. */
export async function post<T>(path: string, body: object = {}): Promise<T> {
  const headers = { ...HEADERS, "content-type": "application/json", "x-holdfast-key": loginKey() };
  const response = await answerTo(path, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json() as Promise<T>;
}

const HEADERS = { "x-holdfast": "1" };

function queryText(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

async function answerTo(path: string, options: RequestInit): Promise<Response> {
  const response = await fetch(path, { ...options, credentials: "same-origin" }).catch(() => {
    throw new Error("The server does not answer. It may have been stopped: run holdfast up");
  });
  if (response.status === 401) isSignedOut.value = true;
  if (!response.ok) throw await refusalIn(response);
  return response;
}

/** Returns the server's words and code; a refusal that is not in its words comes from something between. */
async function refusalIn(response: Response): Promise<Error> {
  const { error } = (await response.json().catch(() => ({}))) as Partial<Refusal>;
  if (!error) return new Error(`The server answered with status ${response.status}`);
  const words = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
  return new Error(words, { cause: error.code });
}

/** Returns the code of a refusal. */
export const codeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** Returns the words of a failure. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
