import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  LiveEvent,
  Overview,
  Refusal,
  TimelineEvent,
  UndoOutcome,
  WaitingList,
} from "../../src/faces/console/contract.ts";
import * as recorded from "./recorded-rows.ts";

/** A request of the page, with the headers that say who asks. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly header: string | undefined;
  readonly key: string | undefined;
}

/** Serves the built page with its headers, and answers from recordings that tests may replace. */
export interface PageServer {
  readonly url: string;
  readonly requests: PageRequest[];
  readonly answers: Map<string, unknown>;
  /** Paths that are refused, with the reason. */
  readonly refusals: Map<string, string>;
  emit(event: LiveEvent): void;
  /** Ends the stream of events and refuses new ones until `refuses` is false again. */
  setRefusing(refuses: boolean): void;
  /** Refuses every request as one without a login. */
  setSignedOut(): void;
  close(): Promise<void>;
}

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/console.js": ["console.js", "text/javascript; charset=utf-8"],
  "/console.css": ["console.css", "text/css; charset=utf-8"],
  "/favicon.svg": ["favicon.svg", "image/svg+xml"],
};

export async function startPageServer(): Promise<PageServer> {
  const requests: PageRequest[] = [];
  const answers = new Map<string, unknown>();
  const refusals = new Map<string, string>();
  let isSignedOut = false;
  const streams = new Set<ServerResponse>();
  let isRefusing = false;
  const server = createServer((request, response) => {
    const file = FILES[pathOf(request)];
    if (file)
      return send(response, 200, file[1], readFileSync(new URL(`../../dist/console/${file[0]}`, import.meta.url)));
    if (isRefusing) return void response.destroy();
    if (isSignedOut) return refuse(response, 401, "Log in first");
    const refusal = refusals.get(pathOf(request));
    if (refusal !== undefined) return refuse(response, 409, refusal);
    if (pathOf(request) === "/api/events") return openStream(response, streams);
    void answerTo(request, requests, answers).then((answer) => {
      if (answer === undefined) return refuse(response, 404, "Cannot find it", "Look at the list");
      return send(response, 200, "application/json", JSON.stringify(answer));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const endStreams = (): void => {
    for (const stream of streams) stream.destroy();
    streams.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answers,
    refusals,
    emit: (event) => streams.forEach((stream) => stream.write(`event: ${event}\ndata: {}\n\n`)),
    setRefusing: (refuses) => {
      isRefusing = refuses;
      if (refuses) endStreams();
    },
    setSignedOut: () => void (isSignedOut = true),
    close: async () => {
      endStreams();
      await new Promise((done) => server.close(done));
    },
  };
}

function refuse(response: ServerResponse, status: number, message: string, hint?: string): void {
  const refusal: Refusal = { error: { code: "refused", message, ...(hint !== undefined && { hint }) } };
  send(response, status, "application/json", JSON.stringify(refusal));
}

const pathOf = ({ url = "/" }: IncomingMessage): string => new URL(url, "http://console").pathname;

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { ...HEADERS, "content-type": type }).end(body);
}

function openStream(response: ServerResponse, streams: Set<ServerResponse>): void {
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" }).write(": open\n\n");
  streams.add(response);
  response.on("close", () => streams.delete(response));
}

async function answerTo(
  request: IncomingMessage,
  requests: PageRequest[],
  answers: Map<string, unknown>,
): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { method = "GET", url = "/", headers } = request;
  const [header, key] = [headers["x-holdfast"], headers["x-holdfast-key"]].map((value) => value?.toString());
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  requests.push({ method, path: url, body, header, key });
  const path = pathOf(request);
  if (answers.has(path)) return answers.get(path);
  return method === "GET" ? recordedAnswer(path, new URL(url, "http://console").searchParams) : doneAnswer(path, body);
}

function recordedAnswer(path: string, query: URLSearchParams): unknown {
  const [, , name = "", id = "", part] = path.split("/").map((each) => decodeURIComponent(each));
  if (name === "changes") return id === "" ? { changes: recorded.changeList } : recorded.changeDetail(id);
  if (name === "net")
    return query.has("path") ? { ...recorded.net, diff: recorded.netDiff(query.get("path") ?? "") } : recorded.net;
  if (name === "jobs" && part === "output") return outputFrom(id, Number(query.get("from")));
  if (name === "timeline" && query.has("search"))
    return { events: recorded.timeline.events.filter(({ subject }) => subject.includes(query.get("search") ?? "")) };
  return ANSWERS[name];
}

const ANSWERS: Readonly<Record<string, unknown>> = {
  overview: recorded.overview,
  timeline: recorded.timeline,
  waiting: recorded.waiting,
  trash: recorded.trash,
  jobs: recorded.jobs,
  rules: recorded.rules,
  explain: recorded.explanation,
  health: recorded.health,
  export: "# Session\n",
};

function outputFrom(id: string, from: number): unknown {
  const text = (recorded.outputs[id] ?? "").slice(from);
  return { text, cursor: from + text.length, running: id === "7" };
}

function doneAnswer(path: string, body: unknown): unknown {
  if (path !== "/api/undo") return {};
  const {
    change,
    session,
    dryRun,
    path: only,
  } = body as { change?: string; session?: string; dryRun: boolean; path?: string };
  const hasConflict = (change === "c-81f2" && only === undefined) || (session !== undefined && only === undefined);
  return {
    done: !dryRun && !hasConflict,
    ...(!dryRun && { change: "c-9001" }),
    files: [
      {
        path: "src/wharfs/allocate.ts",
        action: "restored",
        keeps: "Lines 4–6 go back. Your later edit of line 40 stays.",
      },
    ],
    conflicts: hasConflict
      ? [{ path: "src/rates/season.ts", reason: "Line 7 was changed again by codex at 14:27" }]
      : [],
    notes: [],
  } satisfies UndoOutcome;
}

/** Returns the recorded timeline with newer events on top. */
export const withNewer = (...events: readonly TimelineEvent[]): { readonly events: readonly TimelineEvent[] } => ({
  events: [...events, ...recorded.timeline.events],
});

/** Answers as where nothing has happened yet. */
export const NOTHING: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [
    "/api/overview",
    {
      ...recorded.overview,
      waiting: 0,
      trash: 0,
      runningJobs: 0,
      needLook: 0,
      lastHour: { files: 0, added: 0, removed: 0, undoable: 0 },
      sessions: [],
    } satisfies Overview,
  ],
  ["/api/timeline", { events: [] }],
  ["/api/waiting", { questions: [] } satisfies WaitingList],
  ["/api/changes", { changes: [] }],
  ["/api/trash", { items: [] }],
  ["/api/jobs", { jobs: [] }],
]);
