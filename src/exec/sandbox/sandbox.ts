import type { Command, CommandExit } from "../command.ts";
import type { SeenHost } from "./network/proxy.ts";
import type { CommandView } from "../view/command-view.ts";

/** Names the rungs of the ladder, the strongest first; "container" is one that the program of the agent made. */
export type Rung = "docker" | "bubblewrap" | "unshare" | "container" | "none";

/**
 * A place where commands run, and what it keeps them from. The contract in test/exec/sandbox is its definition: what a
 * sandbox claims in `holds`, it holds against a hostile command.
 */
export interface Sandbox {
  readonly rung: Rung;
  /** Says what it keeps a command from. What is false here is told to the person, never assumed. */
  readonly holds: Holds;
  /**
   * Starts a command. Rejects with a `Fault` where it cannot be started, and so does `exited` where the sandbox itself
   * failed before the command began: its own words are in the output then. Nothing is left behind.
   */
  start(command: Command, bounds: Bounds, streams: Streams): Promise<StartedCommand>;
  /**
   * Lets all commands from now on share one loopback, which nothing else reaches, so that they find servers of each
   * other. Returns false where that is not possible, or where the network is open.
   */
  shareNetwork?(network: Network): Promise<boolean>;
  /** Returns the path at which a command sees a place; without it, that is its own path. */
  pathInside?(path: string): string;
  /** Removes what it keeps warm between commands. */
  close(): Promise<void>;
}

/** Says what is the same for every command of a sandbox on this machine. */
export interface SandboxOptions {
  /** The real path of the user's home: commands can read it, but for the credentials in it. */
  readonly home: string;
  /** Real paths that are hidden from every command: our state, configuration and tokens. */
  readonly closed: readonly string[];
  /** The directory in which processes note the placeholders that they make in roots. */
  readonly placeholders: string;
  /** Is called for every host that a command asks our proxy for. */
  readonly onHost?: ((seen: SeenHost) => void) | undefined;
}

export interface Holds {
  /** Files outside the writable places cannot be changed, and masked ones not be read. */
  readonly files: boolean;
  /** Nothing but the allowed hosts can be reached. */
  readonly network: boolean;
  /** All that a command started is gone when it ends. */
  readonly processes: boolean;
  /** Commands can run on a copy-on-write view of the roots. */
  readonly views: boolean;
}

/** Bounds one command. */
export interface Bounds {
  readonly roots: readonly BoundRoot[];
  /**
   * Real paths that are hidden, whether or not they exist yet. On a view a path that does not exist is left alone:
   * there is nothing to read, and a file that the command makes there is judged before it is applied.
   */
  readonly masked: readonly string[];
  /** Real paths that can only be read, inside writable roots, whether or not they exist yet; on a view as above. */
  readonly readOnly: readonly string[];
  /** Real paths outside the roots that can be read besides, unless they are hidden. Containers do not show them. */
  readonly readable?: readonly string[] | undefined;
  /** Private writable directories that outlive the command, such as caches of package managers: shown at `path`. */
  readonly caches: readonly { readonly path: string; readonly directory: string }[];
  readonly network: Network;
  readonly limits: Limits;
  /** Shows changed roots to the command, and keeps its changes away from the real ones. */
  readonly view?: CommandView | undefined;
}

export interface BoundRoot {
  /** The real path, which the command sees as well. */
  readonly path: string;
  readonly access: "none" | "ro" | "rw";
}

/** "off", all of the network of this machine, or the hosts of a list ("example.org", "*.example.org", with ":port"). */
export type Network = "off" | "on" | { readonly hosts: readonly string[] };

export interface Limits {
  readonly memoryBytes?: number | undefined;
  readonly processes?: number | undefined;
  readonly fileBytes?: number | undefined;
  readonly cpuSeconds?: number | undefined;
}

/** Descriptors of this process that become those of the command. */
export interface Streams {
  readonly input: number | "none" | "pipe";
  /** An append-only file or a terminal; or a pipe, of which the sandbox returns the end to read. */
  readonly output: number | PipedOutput;
  /**
   * Receives the standard output through a pipe instead; then `output` gets only standard error, and the command does
   * not keep this process alive. For programs on this machine that exchange messages with us.
   */
  readonly onOutput?: ((bytes: Buffer) => void) | undefined;
  /** Lets the command outlive this process: a session of its own (setsid), which nothing of ours ends at exit. */
  readonly isDetached?: boolean | undefined;
  /**
   * A program of this machine, with its first words, that starts the rest of its words as a child and waits for it: the
   * supervisor of a job. The command dies with it.
   */
  readonly supervisor?: readonly [string, ...string[]] | undefined;
  /** Says that the command gets a terminal: it must not be given a session of its own inside the sandbox. */
  readonly isTerminal?: boolean | undefined;
}

/** Asks for a pipe. A sandbox that copies the output itself writes it to the log, an append-only file, instead. */
export interface PipedOutput {
  readonly log: number;
}

/** A command that was started, on this machine or in a container. */
export interface StartedCommand {
  /** The end of its pipe, which the caller reads and closes; undefined where it has none. */
  readonly output?: number | undefined;
  /** The process of this machine that stands for it and all that it starts; undefined where that is not here. */
  readonly pid: number | undefined;
  readonly exited: Promise<CommandExit>;
  /** Writes to its standard input; null closes it. */
  write(bytes: Uint8Array | null): void;
  /** Signals the command itself. */
  signal(name: NodeJS.Signals): void;
  /** Ends it and all that it started: asks first, and kills after the grace. */
  end(graceMs: number): Promise<void>;
}
