import type { Duplex } from "node:stream";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { createLineSplitter } from "../../../base/line-splitter.ts";
import { connectEngine, type Engine } from "./engine.ts";
import { findEngineSocket } from "./engine-socket.ts";
import { piecesOf } from "./frames.ts";
import { ref, unref } from "./socket-refs.ts";

/** A container of somebody else, in which scripts run. */
export interface ScriptedContainer {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface ScriptResult {
  readonly code: number;
  readonly output: Buffer;
}

/**
 * Returns a function that runs short scripts of the POSIX shell in a container, as its own user. They run one after the
 * other in a shell that is kept, which takes a tenth of the time; one with input gets a shell of its own.
 */
export function createScriptRunner(container: ScriptedContainer) {
  let kept: Promise<KeptShell> | undefined;
  return async (script: string, words: readonly string[], input?: Uint8Array): Promise<ScriptResult> => {
    const engine = connectEngine(findEngineSocket(process.env));
    if (input) return runOnce(engine, container, [script, "sh", ...words], input);
    if (kept && !(await kept).isOpen()) kept = undefined;
    kept ??= openShell(engine, container).catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return (await kept).run(script, words);
  };
}

const execBody = ({ environment }: ScriptedContainer, Cmd: readonly string[]): object => ({
  AttachStdin: true,
  AttachStdout: true,
  AttachStderr: true,
  Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
  Cmd,
});

async function runOnce(
  engine: Engine,
  container: ScriptedContainer,
  words: readonly string[],
  input: Uint8Array,
): Promise<ScriptResult> {
  const { id, stream } = await engine.exec(
    encodeURIComponent(container.name),
    execBody(container, ["sh", "-c", ...words]),
  );
  // The script need not read its input.
  stream.on("error", () => {});
  stream.end(input);
  const pieces: Buffer[] = [];
  for await (const { from, bytes } of piecesOf(stream)) if (from === "output") pieces.push(bytes);
  return { code: (await engine.exitCode(id)) ?? 1, output: Buffer.concat(pieces) };
}

interface KeptShell {
  isOpen(): boolean;
  run(script: string, words: readonly string[]): Promise<ScriptResult>;
}

/** Starts a shell that reads scripts from its input. It ends with this process, which need not wait for it. */
async function openShell(engine: Engine, container: ScriptedContainer): Promise<KeptShell> {
  const { stream } = await engine.exec(encodeURIComponent(container.name), execBody(container, ["sh"]));
  const waiting: PendingResult[] = [];
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOpen = false;
    clearTimeout(timer);
    stream.destroy();
    for (const { reject } of waiting.splice(0)) reject(endedFault(container));
  };
  /** Waits for the next result, while there is one to wait for; else this process may end. */
  const expectResult = (): void => {
    clearTimeout(timer);
    if (waiting.length === 0) return unref(stream);
    timer = setTimeout(end, LIMITS.engineMs);
    ref(stream);
  };
  stream.on("error", end);
  void readResults(stream, (result) => {
    waiting.shift()?.resolve(result);
    expectResult();
  }).then(end, end);
  unref(stream);
  return {
    isOpen: () => isOpen,
    run: (script, words) =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(endedFault(container));
        waiting.push({ resolve, reject });
        if (waiting.length === 1) expectResult();
        stream.write(request(script, words));
      }),
  };
}

interface PendingResult {
  readonly resolve: (result: ScriptResult) => void;
  readonly reject: (error: Fault) => void;
}

/** Wraps a script so that its output and exit code come as lines of base64, ended by a dot. */
const request = (script: string, words: readonly string[]): string =>
  `{ ( set -- ${words.map(quoted).join(" ")}\n${script}\n) </dev/null; printf '\\n%s' "$?"; } 2>/dev/null | base64; echo .\n`;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

async function readResults(stream: Duplex, take: (result: ScriptResult) => void): Promise<void> {
  let lines: string[] = [];
  const split = createLineSplitter(LIMITS.messageBytes, {
    line(line) {
      if (line !== ".") return void lines.push(line);
      const bytes = Buffer.from(lines.join(""), "base64");
      lines = [];
      const cut = bytes.lastIndexOf("\n");
      take({ code: Number(bytes.subarray(cut + 1)), output: bytes.subarray(0, Math.max(0, cut)) });
    },
    tooLong: () => stream.destroy(),
  });
  for await (const { from, bytes } of piecesOf(stream)) if (from === "output") split(bytes);
}

const endedFault = ({ name }: ScriptedContainer): Fault =>
  new Fault("io", `Cannot use the container ${JSON.stringify(name)}: its shell has ended or does not answer`);
