import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type AtEnd, stateBeside, withTest } from "../runtime/scratch.ts";
import { bareEnv, BIN } from "./bin.ts";

/** One message on the wire. */
export type Message = Readonly<Record<string, unknown>>;

/** A client that knows nothing but lines: it can say what no well-behaved client would. */
export interface Wire {
  readonly pid: number;
  /** Every line so far, as it came. */
  readonly lines: readonly string[];
  readonly errors: () => string;
  /** Text is sent as it is, anything else as JSON. */
  say(...messages: readonly unknown[]): void;
  /** Exactly these bytes, no line feed added. */
  sayRaw(text: string): void;
  /** The first answer to a request of this id, whether it has come or is yet to come. */
  answer(id: string | number | null): Promise<Message>;
  /** Stops reading, and goes on. */
  pause(): void;
  resume(): void;
  /** Closes standard input, or sends a signal instead; tells the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
};

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "initialize",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "wire", version: "1" } },
};

export const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

export const toolCall = (id: string | number, name: string, input: unknown, more: object = {}): Message => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input, ...more },
});

export interface WireOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly atEnd?: AtEnd;
}

/** Starts the server and says nothing yet. Ended with the test. */
export function openWire(root: string, { args = [], env, atEnd = withTest }: WireOptions = {}): Wire {
  const child = spawn(process.execPath, [BIN, root, ...args], {
    env: bareEnv({ HOLDFAST_STATE: stateBeside(root), ...env }),
  });
  const closed = once(child, "close");
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await closed;
  });
  const lines: string[] = [];
  const answers = createAnswers();
  let errors = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    answers.came(JSON.parse(line) as Message);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdin.on("error", () => {});
  return {
    pid: child.pid as number,
    lines,
    errors: () => errors,
    say: (...messages) => {
      for (const message of messages)
        child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
    },
    sayRaw: (text) => void child.stdin.write(text),
    answer: answers.to,
    pause: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    end: async (signal) => {
      if (signal) child.kill(signal);
      else child.stdin.end();
      const [code] = (await closed) as [number | null];
      return code;
    },
  };
}

/** Brings answers and those who wait for them together. */
function createAnswers() {
  const known = new Map<unknown, Message>();
  const waiting = new Map<unknown, (answer: Message) => void>();
  return {
    came(message: Message): void {
      const { id } = message;
      if (id === undefined || "method" in message) return;
      if (!known.has(id)) known.set(id, message);
      waiting.get(id)?.(message);
    },
    to: (id: unknown): Promise<Message> =>
      new Promise((resolve) => {
        const answer = known.get(id);
        if (answer) resolve(answer);
        else waiting.set(id, resolve);
      }),
  };
}

/** The same, greeted in the way of 2025. */
export async function openGreeted(root: string, options: WireOptions = {}): Promise<Wire> {
  const wire = openWire(root, options);
  wire.say(INITIALIZE);
  await wire.answer("initialize");
  wire.say(INITIALIZED);
  return wire;
}
