import { closeSync, createReadStream, openSync } from "node:fs";
import { constants } from "node:os";
import type { Duplex, Readable } from "node:stream";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { endsWithin } from "../../../base/timeout.ts";
import type { Command, CommandExit } from "../../command.ts";
import type { StartedCommand, Streams } from "../sandbox.ts";
import { writeAll } from "../write-all.ts";
import type { Engine } from "./engine.ts";
import { piecesOf } from "./frames.ts";

/**
 * Runs a command with its errors in its output, so that both keep their order. Our own lines go to the errors of the
 * exec process, which the command does not inherit: its pid, and how it ended, because the engine waits two seconds
 * for the output of what the command leaves behind. Then it waits to be killed, so that its session is still known.
 */
const COMMAND_SCRIPT = `
command -v "$1" >/dev/null || { echo missing >&2; exit 127; }
trap : HUP INT TERM
sh -c 'echo "pid $$" >&2; exec "$@" 2>&1' sh "$@"
echo "exit $?" >&2
kill -STOP $$`;

/** Describes this machine, and not the container. */
const OWN_VARIABLES = ["HOME", "PATH", "SHELL", "TMPDIR"];

/** A command, with all that the container needs to run it. */
export interface ContainerCommand {
  readonly command: Command;
  /** As the container sees it. */
  readonly directory: string;
  /** As the container knows it; without it, its own user. */
  readonly user?: string | undefined;
  /** Holds variables of the container, which those of the command replace. */
  readonly environment: Readonly<Record<string, string>>;
  readonly streams: Streams;
}

/** The container of a command, and how to end what it started there. */
export interface CommandContainer {
  /** The id or the name. */
  readonly id: string;
  /** Signals a process, or with "all" every one that the command started. */
  kill(signal: string, target: number | "all"): Promise<void>;
  /** Does the last that can be done about a command that does not end. */
  giveUp(): Promise<void>;
}

/** Starts a command in a container. `release` is called once all that it started is gone. */
export async function startInContainer(
  engine: Engine,
  container: CommandContainer,
  given: ContainerCommand,
  release: () => Promise<void>,
): Promise<StartedCommand> {
  const { streams } = given;
  // The caller closes its descriptor once the command is started.
  const log = typeof streams.output === "number" ? streams.output : streams.output.log;
  const output = openSync(`/dev/fd/${log}`, "a");
  const { id, stream } = await engine.exec(container.id, execBody(given)).catch((error: unknown) => {
    closeSync(output);
    throw error;
  });
  stream.on("error", () => {});
  const control = createControl();
  const copied = copyOutput(stream, output, control.take).finally(() => {
    control.end();
    closeSync(output);
  });
  const pid = await control.started;
  const input = typeof streams.input === "number" ? pipeInput(streams.input, stream) : undefined;
  const sent = new Set<string>();
  const exited = finished().finally(release);
  const kill = (name: string, target: number | "all"): Promise<void> => {
    sent.add(name);
    // A container that has ended has no process left to signal.
    return container.kill(name, target).catch(() => {});
  };
  return {
    pid: undefined,
    exited,
    write: (bytes) => void (bytes === null ? stream.end() : stream.write(bytes)),
    signal: (name) => void kill(name, pid),
    async end(graceMs) {
      await kill("SIGTERM", "all");
      if (!(await endsWithin(graceMs, exited))) await kill("SIGKILL", "all");
      if (await endsWithin(LIMITS.containerGraceMs, exited)) return;
      await container.giveUp();
      stream.destroy();
      await exited;
    },
  };

  async function finished(): Promise<CommandExit> {
    await control.ended;
    input?.destroy();
    await container.kill("SIGKILL", "all").catch(() => {});
    if (!(await endsWithin(LIMITS.containerGraceMs, copied))) stream.destroy();
    if (!(await copied)) return { code: null, signal: "SIGPIPE" };
    return exitOf(control.code() ?? (await engine.exitCode(id).catch(() => null)), sent);
  }
}

/** Copies a descriptor, which stays open, to the input of a command. */
const pipeInput = (descriptor: number, stream: Duplex): Readable => {
  const input = createReadStream("", { fd: descriptor, autoClose: false });
  input.on("error", () => stream.end()).pipe(stream);
  return input;
};

function execBody({ command, directory, user, environment, streams }: ContainerCommand): object {
  const requested = Object.entries(command.environment).filter(([name]) => !OWN_VARIABLES.includes(name));
  const variables = { ...environment, ...Object.fromEntries(requested) };
  return {
    AttachStdin: streams.input !== "none",
    AttachStdout: true,
    AttachStderr: true,
    ...(user !== undefined && { User: user }),
    WorkingDir: directory,
    Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    Cmd: ["sh", "-c", COMMAND_SCRIPT, "sh", ...command.argv],
  };
}

interface Control {
  /** Resolves to the pid in the container. Rejects when the command could not be started. */
  readonly started: Promise<number>;
  /** Resolves when the command has ended, or its stream. */
  readonly ended: Promise<void>;
  take(bytes: Buffer): void;
  end(): void;
  code(): number | null;
}

/** Reads our own lines. A command can forge them, but only to lie about itself. */
function createControl(): Control {
  let line = "";
  let code: number | null = null;
  const [started, ended] = [createDeferred<number>(), createDeferred<void>()];
  const takeLine = (text: string): void => {
    const [word, value] = text.split(" ");
    if (word === "missing") started.reject(notStarted("its image has no such program"));
    if (word === "pid" && /^\d+$/.test(value ?? "")) started.resolve(Number(value));
    if (word === "exit" && /^\d+$/.test(value ?? "")) {
      code ??= Number(value);
      ended.resolve();
    }
  };
  return {
    started: started.promise,
    ended: ended.promise,
    take(bytes) {
      const lines = (line + bytes.toString("latin1")).split("\n");
      line = (lines.pop() ?? "").slice(-CONTROL_CHARS);
      lines.forEach(takeLine);
    },
    end() {
      started.reject(notStarted("the container refuses it"));
      ended.resolve();
    },
    code: () => code,
  };
}

/** Caps an unfinished line of ours. */
const CONTROL_CHARS = 64;

const notStarted = (reason: string): Fault =>
  new Fault("io", `Cannot start the command in the container: ${reason}`, {
    hint: "Check that the image has bash, which commands run in, or use another image",
  });

/** Copies output as it comes, piece by piece. Returns false when it could not be written: nobody can read it then. */
async function copyOutput(stream: Duplex, output: number, control: (bytes: Buffer) => void): Promise<boolean> {
  try {
    for await (const { from, bytes } of piecesOf(stream)) {
      if (from === "errors") control(bytes);
      else if (!(await writeAll(output, bytes))) return false;
    }
  } catch {
    // The connection to the engine broke, or we ended it.
  }
  return true;
}

/** A shell adds 128 to the signal that ended a command, which an exit code may look like as well. */
function exitOf(code: number | null, sent: ReadonlySet<string>): CommandExit {
  if (code === null) return { code: null, signal: "SIGKILL" };
  const signal = [...sent].find((name) => constants.signals[name as NodeJS.Signals] === code - 128);
  return signal === undefined ? { code, signal: null } : { code: null, signal };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Fault) => void;
}

function createDeferred<T>(): Deferred<T> {
  let handlers: Omit<Deferred<T>, "promise"> | undefined;
  const promise = new Promise<T>((resolve, reject) => (handlers = { resolve, reject }));
  return { promise, resolve: (value) => handlers?.resolve(value), reject: (error) => handlers?.reject(error) };
}
