import { readRequestBody } from "@modelcontextprotocol/server";
import { answerOf, CODES, type Fault, isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { jsonResponse } from "../../http/responses.ts";
import type { Refusal } from "../contract.ts";
import { changes } from "./changes.ts";
import type { ApiCall, Endpoint, Person } from "./endpoint.ts";
import { createEvents } from "./events.ts";
import { exportSession } from "./export.ts";
import { createHealth } from "./health.ts";
import { jobs } from "./jobs.ts";
import { net } from "./net.ts";
import { createOverview } from "./overview.ts";
import { rules } from "./rules.ts";
import { createSessions } from "./sessions.ts";
import { timeline } from "./timeline.ts";
import { trash } from "./trash.ts";
import { undo } from "./undo.ts";
import { createWaiting } from "./waiting.ts";

/** Answers the page. */
export interface Api {
  handle(request: Request): Promise<Response>;
  /** Ends the streams of events. */
  close(): void;
}

/** Composes the interface: the only file of this folder that knows all resources. */
export function createApi(person: Person): Api {
  const app = person.everything();
  const events = createEvents(app);
  const health = createHealth(person);
  const sessions = createSessions(app);
  const endpoints: readonly Endpoint[] = [
    createOverview(health),
    health.endpoint,
    events.endpoint,
    exportSession,
    net,
    timeline,
    undo,
    ...changes,
    ...createWaiting(),
    ...jobs,
    ...rules,
    ...trash,
  ];
  return {
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url);
      const found = endpointFor(endpoints, request.method, pathname);
      if (found instanceof Response) return found;
      const { endpoint, names } = found;
      if (endpoint !== events.endpoint && request.headers.get(PAGE_HEADER) !== "1") return notFromPage();
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      const query = Object.fromEntries(searchParams);
      return answer(endpoint, { person, app, sessions, names, query, body: body.value, signal: request.signal });
    },
    close: events.close,
  };
}

/** Names a header that no other site can send without asking us first, which we never allow. */
const PAGE_HEADER = "x-holdfast";

const notFromPage = (): Response =>
  refuse(403, { code: "denied", message: `Cannot serve this: the header ${PAGE_HEADER}: 1 is missing` });

interface Found {
  readonly endpoint: Endpoint;
  readonly names: readonly string[];
}

function endpointFor(endpoints: readonly Endpoint[], method: string, path: string): Found | Response {
  const fitting = endpoints.flatMap((endpoint) => {
    const names = namesIn(endpoint.path, path);
    return names ? [{ endpoint, names }] : [];
  });
  const found = fitting.find(({ endpoint }) => endpoint.method === method);
  if (found) return found;
  if (fitting.length === 0)
    return refuse(404, { code: "not_found", message: "Cannot serve this: there is nothing here" });
  const allowed = fitting.map(({ endpoint }) => endpoint.method).join(", ");
  return refuse(405, { code: "invalid_input", message: `Cannot serve this: use ${allowed}` }, { Allow: allowed });
}

/** Returns the parts of a path that ":" stands for; undefined where the path is another. */
function namesIn(pattern: string, path: string): readonly string[] | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  if (!wanted.every((part, nth) => part === ":" || part === given[nth])) return undefined;
  const names = wanted.flatMap((part, nth) => (part === ":" ? [decoded(given[nth] ?? "")] : []));
  return names.every((name) => name !== "") ? names : undefined;
}

/** Returns "" for text with a broken escape, which names nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Reads the body of a request that changes something. */
async function bodyOf(request: Request): Promise<{ readonly value: unknown } | Response> {
  if (request.method !== "POST") return { value: undefined };
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    return refuse(415, { code: "invalid_input", message: "Cannot use the request: send JSON" });
  const read = await readRequestBody(request, LIMITS.consoleBodyBytes);
  if (read.tooLarge) return refuse(413, { code: "too_large", message: "Cannot use the request: it is too long" });
  try {
    return { value: JSON.parse(read.text) as unknown };
  } catch {
    return refuse(400, { code: "invalid_input", message: "Cannot use the request: it is not JSON" });
  }
}

async function answer(endpoint: Endpoint, call: ApiCall): Promise<Response> {
  try {
    const given = await endpoint.handle(call);
    return given instanceof Response ? given : jsonResponse(200, given);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { code, message, hint } = answerOf(error);
    return refuse(statusOf(error), { code, message, hint });
  }
}

const statusOf = ({ code }: Fault): number => STATUSES[CODES[code].kind];

const STATUSES = { input: 400, denied: 403, missing: 404, conflict: 409, stopped: 409, internal: 500 } as const;

const refuse = (status: number, error: Refusal["error"], headers: Readonly<Record<string, string>> = {}): Response =>
  jsonResponse(status, { error } satisfies Refusal, headers);
