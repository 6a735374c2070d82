import { request } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";

/** The parts of Docker's HTTP interface that we use; Podman serves the same. */
export interface Engine {
  readonly socket: string;
  info(): Promise<EngineInfo>;
  /** Creates a container from the body of the request, and returns its id. */
  create(name: string, body: object): Promise<string>;
  start(container: string): Promise<void>;
  /** Connects to the streams of process 1. */
  attach(container: string): Promise<Duplex>;
  /** Kills all its processes, and removes it with its volumes; one that is gone is fine. */
  remove(container: string): Promise<void>;
  /** Lists containers with these labels, whether they run or not. */
  list(labels: readonly string[]): Promise<readonly ListedContainer[]>;
  /** Creates a process in a container, starts it and connects to its streams. */
  exec(container: string, body: object): Promise<ExecProcess>;
  /** Returns the exit code of such a process; null while it runs. */
  exitCode(exec: string): Promise<number | null>;
}

export interface ExecProcess {
  readonly id: string;
  readonly stream: Duplex;
}

const INFO = z.object({
  ServerVersion: z.string(),
  SecurityOptions: z.array(z.string()).nullish(),
  /** Podman only. */
  Rootless: z.boolean().optional(),
  BuildahVersion: z.string().optional(),
});
const CREATED = z.object({ Id: z.string() });
const LISTED = z.array(z.object({ Id: z.string(), State: z.string(), Labels: z.record(z.string(), z.string()) }));
const EXEC = z.object({ Running: z.boolean(), ExitCode: z.number().nullish() });
const ERROR = z.object({ message: z.string() });

export type EngineInfo = z.infer<typeof INFO>;
export type ListedContainer = z.infer<typeof LISTED>[number];

export function connectEngine(socket: string): Engine {
  const call = async <T>(schema: z.ZodType<T>, words: readonly [method: string, path: string], body?: object) =>
    schema.parse(JSON.parse((await send(socket, ...words, body)) || "null"));
  return {
    socket,
    info: () => call(INFO, ["GET", "/info"]),
    async create(name, body) {
      return (await call(CREATED, ["POST", `/containers/create?name=${name}`], body)).Id;
    },
    async start(container) {
      await send(socket, "POST", `/containers/${container}/start`);
    },
    attach: (container) => hijack(socket, `/containers/${container}/attach?stream=1&stdin=1&stdout=1&stderr=1`),
    remove: (container) => removeContainer(socket, container),
    list(labels) {
      const filters = encodeURIComponent(JSON.stringify({ label: labels }));
      return call(LISTED, ["GET", `/containers/json?all=1&filters=${filters}`]);
    },
    async exec(container, body) {
      const { Id: id } = await call(CREATED, ["POST", `/containers/${container}/exec`], body);
      return { id, stream: await hijack(socket, `/exec/${id}/start`, { Detach: false, Tty: false }) };
    },
    async exitCode(exec) {
      const { Running, ExitCode } = await call(EXEC, ["GET", `/exec/${exec}/json`]);
      return Running ? null : (ExitCode ?? null);
    },
  };
}

/** Removes a container. Podman refuses to remove one that ends by itself at this moment: then it is tried again. */
async function removeContainer(socket: string, container: string, tries = 20): Promise<void> {
  try {
    await send(socket, "DELETE", `/containers/${container}?force=1&v=1`);
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 409) return;
    if (status !== 500 || tries === 0) throw error;
    await setTimeout(REMOVE_AGAIN_MS);
    await removeContainer(socket, container, tries - 1);
  }
}

const REMOVE_AGAIN_MS = 50;

/** Returns the status of an answer that the engine refused a request with. */
export const statusOf = (error: unknown): unknown => (error instanceof Fault ? error.details["status"] : undefined);

/** Sends a request and returns the whole answer, which is short. The engine's newest version of each is used. */
function send(socket: string, method: string, path: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body && { "Content-Type": "application/json" };
    const call = request({ socketPath: socket, method, path, headers, timeout: LIMITS.engineMs }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => (text += piece));
      answer.on("error", (error) => reject(connectionFault(socket, error)));
      answer.on("end", () => {
        const { statusCode = 0 } = answer;
        if (statusCode < 300) resolve(text);
        else reject(answerFault(statusCode, text));
      });
    });
    call.on("timeout", () => call.destroy(new Error("it does not answer")));
    call.on("error", (error) => reject(connectionFault(socket, error)));
    call.end(body && JSON.stringify(body));
  });
}

/** Sends a request that turns the connection into the streams of a process. */
function hijack(socket: string, path: string, body?: object): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json", Connection: "Upgrade", Upgrade: "tcp" };
    const call = request({ socketPath: socket, method: "POST", path, headers, timeout: LIMITS.engineMs });
    call.on("timeout", () => call.destroy(new Error("it does not answer")));
    call.on("upgrade", (_, stream, head) => {
      if (stream instanceof Socket) stream.setTimeout(0);
      if (head.length > 0) stream.unshift(head);
      resolve(stream);
    });
    call.on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => reject(answerFault(answer.statusCode ?? 0, text)));
    });
    call.on("error", (error) => reject(connectionFault(socket, error)));
    call.end(body && JSON.stringify(body));
  });
}

function connectionFault(socket: string, error: Error): Fault {
  const errno = errnoOf(error) ?? "";
  const reason = CONNECTION_REASONS[errno] ?? [error.message, "Check that the container engine runs"];
  return new Fault("io", `Cannot reach the container engine at ${socket}: ${reason[0]}`, { hint: reason[1] }, error);
}

const CONNECTION_REASONS: Readonly<Record<string, readonly [state: string, hint: string]>> = {
  ENOENT: ["there is no such socket", "Start Docker or Podman, or name its socket in DOCKER_HOST"],
  ECONNREFUSED: ["nothing listens there", "Start Docker or Podman, or name its socket in DOCKER_HOST"],
  EACCES: [
    "this user may not use it",
    "Add the user to the group of the socket (for Docker: usermod -aG docker <user>), or use rootless Podman",
  ],
};

function answerFault(status: number, text: string): Fault {
  const { data } = ERROR.safeParse(parsedOrNull(text));
  return new Fault("io", `Cannot use the container engine: ${data?.message ?? `it answers ${status}`}`, { status });
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
