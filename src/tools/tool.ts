import type { z } from "zod";
import type { ImageLimits } from "../base/image-limits.ts";
import type { Act, ExecAsk, ExecHost, ExecSecurity } from "../base/verdicts.ts";
import type { CommandReport, JobInput } from "../exec/report.ts";
import type { Containment, SafePath } from "../storage/storage.ts";
import type { Guarantees } from "../storage/writer.ts";
import type { ChangeRecord, ChangeSet } from "../workspace/changes/change.ts";
import type { View } from "../workspace/view.ts";
import type { EventPage } from "../workspace/watch/event-queue.ts";
import type { WatchFilter } from "../workspace/watch/events.ts";

/** One part of what a model is shown. Media are base64. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "audio"; readonly data: string; readonly mime: string }
  | { readonly kind: "resource"; readonly data: string; readonly mime: string; readonly uri: string };

/** Joins the texts of blocks; media are only named. */
export const textOf = (blocks: readonly Block[]): string =>
  blocks.map((block) => (block.kind === "text" ? block.text : `[${block.mime}]`)).join("\n");

/** Counts the characters that blocks hold. */
export const charsIn = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + (block.kind === "text" ? block.text : block.data).length, 0);

/** Says what a tool wants. Tools look and compute; the runtime decides, asks, and performs. */
export type Intent = Answer | ChangeIntent | WatchIntent | OutwardIntent | ResumeIntent | CommandRequest;

/** Asks for something about commands. The runtime turns it into an intent that can be decided about. */
export type CommandRequest = RunIntent | JobIntent | ApplyIntent;

/** Asks to resume a call that waited for an approval. */
export interface ResumeIntent {
  readonly kind: "resume";
  readonly approval: string;
  /** Builds the answer of this call from that of the resumed one. */
  answerFor(done: Omit<Answer, "kind">): Omit<Answer, "kind">;
}

export interface Answer {
  readonly kind: "answer";
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Asks for files to change. People see and approve the very list that is committed. */
export interface ChangeIntent extends ChangeSet {
  readonly kind: "change";
  /** Is true when the changes are only shown. */
  readonly isDryRun: boolean;
  /** Shows the changes to the person who approves them. */
  readonly preview: string;
  /** The command that made the changes on its view: the history names it, and it may change what is git's own. */
  readonly command?: string | undefined;
  /** Is true when it takes back only what commands did: then it may change what is git's own as well. */
  readonly undoesCommands?: boolean | undefined;
  /** Builds the answer once it is done; without a record, the answer of a dry run. */
  answerFor(record: ChangeRecord | null): Omit<Answer, "kind">;
  /** Cleans up once it is done. */
  afterwards?(): Promise<void>;
}

/** Asks for a watch to begin, to be read, or to end. The watch lives in the session, longer than the call. */
export type WatchIntent = BeginWatch | PollWatch | EndWatch;

interface BeginWatch {
  readonly kind: "watch";
  readonly does: "begin";
  readonly filter: WatchFilter;
  answerFor(id: string): Omit<Answer, "kind">;
}

interface PollWatch {
  readonly kind: "watch";
  readonly does: "poll";
  readonly id: string;
  readonly cursor: string | undefined;
  /** Limits how long the call waits while nothing happens. */
  readonly waitMs: number;
  /** Builds the answer; `quietMs` is how long nothing has happened by now. */
  answerFor(page: EventPage, quietMs: number): Omit<Answer, "kind">;
}

interface EndWatch {
  readonly kind: "watch";
  readonly does: "end";
  readonly id: string;
  answerFor(): Omit<Answer, "kind">;
}

/** Asks for something beyond the files: a request, a program, a call of another server. It cannot be undone. */
export interface OutwardIntent {
  readonly kind: "outward";
  /** Names the acts, as rules call them. */
  readonly acts: readonly OutwardAct[];
  /** Names the target on one line, for the person who approves it: "POST https://example.org/issues". */
  readonly target: string;
  /** Holds all that is sent there. An approval is for exactly this. */
  readonly sends: string;
  /** Does it, once it is allowed. The signal is aborted when the call is cancelled. */
  run(signal: AbortSignal): Promise<Omit<Answer, "kind">>;
}

export type OutwardAct = Extract<Act, "exec" | "network">;

/** Asks for a command to be run. What it changes is decided and applied afterwards, by another call. */
export interface RunIntent {
  readonly kind: "run";
  /** The text that the shell parses. */
  readonly command: string;
  readonly directory: SafePath;
  readonly options: RunOptions;
  answerFor(report: CommandReport): Omit<Answer, "kind">;
  /** Returns the call that applies what the command changed on its view, with its answer. */
  applyCall(id: string): FollowUpCall;
}

/** Says how a command is run. What is undefined is left to the configuration. */
export interface RunOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Waits for its end, returns at once, or lets it outlive the session as well. */
  readonly mode: "foreground" | "background" | "detached";
  readonly yieldMs: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly hasTerminal: boolean;
  /** Asks to run it on this machine, without a sandbox and without undo. */
  readonly isElevated: boolean;
  readonly host: ExecHost | undefined;
  readonly security: ExecSecurity | undefined;
  readonly ask: ExecAsk | undefined;
  /** Runs it and shows what it would change. */
  readonly isDryRun: boolean;
  /** Is false where the caller can do without undo. */
  readonly isUndoable: boolean;
}

/** A call that goes on where another one ends, as part of it. */
export interface FollowUpCall {
  readonly tool: Tool;
  readonly input: ParsedInput;
}

/** Asks for something about commands that were started before. */
export interface JobIntent {
  readonly kind: "job";
  readonly request: JobRequest;
  answerFor(reports: readonly CommandReport[]): Omit<Answer, "kind">;
  /** Returns the call that applies what a command changed on its view, once it has ended. */
  applyCall(id: string): FollowUpCall;
}

export type JobRequest =
  | { readonly does: "list" | "clear" }
  | { readonly does: "status" | "remove" | "discard"; readonly id: string }
  | { readonly does: "signal"; readonly id: string; readonly signal: NodeJS.Signals | "end" }
  | { readonly does: "poll"; readonly id: string; readonly waitMs: number }
  | {
      readonly does: "log";
      readonly id: string;
      readonly offset: number | undefined;
      readonly limit: number | undefined;
    }
  | { readonly does: "input"; readonly id: string; readonly inputs: readonly JobInput[] };

/** Asks to apply what a command changed on its view. The runtime turns it into a change, which is decided like any. */
export interface ApplyIntent {
  readonly kind: "apply";
  readonly id: string;
  /** Decides every conflict, which only people may: keeps what is there ("ours"), or takes what the command left. */
  readonly prefer?: "ours" | "theirs" | undefined;
  answerFor(record: ChangeRecord | null, applied: AppliedView): Omit<Answer, "kind">;
}

/** Describes what a command changed on its view. */
export interface AppliedView {
  /** Lists the changes, a line each; whole new directories are one line. */
  readonly lines: readonly string[];
  /** Shows how texts changed that the caller may read, as far as that is short. */
  readonly diff?: string | undefined;
  readonly notes: readonly string[];
  /** Is true where the changes were only shown. */
  readonly isDryRun: boolean;
}

/** Tells clients about a tool's effects. All four are set, so that no default misleads. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Marks a tool that removes something which undo or restore brings back. */
export const DESTRUCTIVE: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** Marks a tool that only adds: it replaces and removes nothing. */
export const ADDITIVE: Annotations = { ...DESTRUCTIVE, destructiveHint: false };

/** Marks a tool that changes nothing. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Marks a tool that reaches beyond the files, where nothing can be undone. It is given no secrets. */
export const OUTWARD: Annotations = { ...DESTRUCTIVE, openWorldHint: true };

/** Holds what a tool may know of the session it is called in. */
export interface SessionFacts {
  readonly id: string;
  readonly profile: string;
  /** The weakest containment of all roots. */
  readonly containment: Containment;
  /** Is true where the same holds in all roots. */
  readonly isOneStorage: boolean;
  /** Limits one page of text. */
  readonly pageBytes: number;
  /** Is undefined where the context window is declared: then only bytes count. */
  readonly pageLines: number | undefined;
  readonly counters: Readonly<Record<string, number>>;
  /** Lists tools that this session may not use, with the reason and the remedy. */
  readonly hiddenTools: readonly { readonly tool: string; readonly reason: string; readonly fix: string }[];
  /** Says why nothing can be changed, where a file of the workspace cannot be used. */
  readonly problems: readonly string[];
  readonly startedMs: number;
  /** Lists the disks below the roots, in bytes; a root without one is left out. */
  disks(): readonly { readonly path: string; readonly total: number; readonly free: number }[];
  roots(): readonly RootFacts[];
  /** Returns the limits of images that are configured; others have their defaults. */
  images(): Partial<ImageLimits>;
}

/** Says what a session may do in a root, and what it can rely on there. */
export interface RootFacts {
  readonly path: string;
  readonly read: boolean;
  readonly write: boolean;
  readonly containment: Containment;
  /** Is undefined where nothing can be changed. */
  readonly guarantees: Guarantees | undefined;
}

/** Lists name the tools of a group together: "group:fs". */
export type ToolGroup =
  | "fs"
  | "runtime"
  | "web"
  | "memory"
  | "sessions"
  | "ui"
  | "automation"
  | "messaging"
  | "nodes"
  | "agents"
  | "media"
  | "archives";

export type ProfileName = "minimal" | "readonly" | "messaging" | "files" | "coding" | "full";

/** Places a tool: groups, profiles, inventories and documents are derived from it. */
export interface CatalogueEntry {
  readonly group: ToolGroup;
  /** Sorts the tools that `createTools` returns and the members of a group, ascending. */
  readonly order: number;
  /** Adds the tool to profiles that do not show its whole group. */
  readonly profiles?: readonly ProfileName[];
  /** Shows the tool to sub-agents, too. */
  readonly subAgent?: boolean;
  /** Names the part of `createTools` that adds the tool. Defaults to "native". */
  readonly step?: "base" | "execution" | "native";
  /** Replaces the name in what `createTools` returns. */
  readonly agentName?: string;
}

/** The parsed input of some tool: only that tool can take it. */
export type ParsedInput = never;

export interface Tool<Input = ParsedInput> {
  /** The name on the wire, and of the file. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Replaces the listed schema where another program checks the arguments. No output schema is listed then. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Is required of built-in tools. Tools of plugins have none. */
  readonly catalogue?: CatalogueEntry;
  /** Lists names that callers know from elsewhere. They are accepted and never listed. */
  readonly otherNames?: readonly string[];
  /** Reserves the tool for the owner of the agent. */
  readonly ownerOnly?: boolean;
  /** Shows the tool only to sessions whose lists name it or its plugin. */
  readonly optional?: boolean;
  /** The id of the plugin that adds the tool. */
  readonly plugin?: string;
  /** Returns the paths that the call names for reading. They are decided before any of them is opened. */
  reads?(input: Input): readonly string[];
  /**
   * Is true when the tool finds text of the caller in files, also by placeholders of secrets: it searches what
   * `view.searchableText` returns, and placeholders in its results are those of that text.
   */
  readonly matchesText?: boolean;
  /**
   * Tests if the call returns bytes by ranges or encoded. Known secrets are then hidden in a file before it is read,
   * not in the answer.
   */
  encodes?(input: Input): boolean;
  /**
   * Is true when the tool shows parts of lines: known secrets are hidden in a small file before it is searched, and not
   * cut apart in a large one.
   */
  readonly showsExcerpts?: boolean;
  /** Says that `output` of the answer is what programs printed: it may hold secrets of any file. */
  readonly showsOutput?: boolean;
  /**
   * Names the arguments of a tool that reaches beyond the files in which placeholders of secrets become values. In all
   * others a placeholder is refused: they are shown, kept, or seen by other processes.
   */
  readonly secretArguments?: readonly string[];
  /** Tests if text of the caller is decoded before it is written: it may hold no placeholder of a secret. */
  decodes?(input: Input): boolean;
  /** Tests if the call is a poll: it may be repeated, and a different wait does not make a different call. */
  polls?(input: Input): boolean;
  /** Is true when the tool resumes calls of others: clients are told that it may do what any of those does. */
  readonly resumesCalls?: boolean;
  /** Returns what should happen. Only the runtime makes it happen. */
  plan(input: Input, view: View, session: SessionFacts): Promise<Intent>;
}

/** A tool that keeps the types of its input and output. */
export interface DefinedTool<Name extends string, Input extends z.ZodObject, Output extends z.ZodObject> extends Tool {
  readonly name: Name;
  readonly input: Input;
  readonly output: Output;
}

/** A tool before it is defined: `plan` takes what the schema gives. */
export interface ToolDefinition<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
> extends Tool<z.output<Input>> {
  readonly name: Name;
  readonly input: Input;
  readonly output: Output;
}

export interface BuiltinTool extends Tool {
  readonly catalogue: CatalogueEntry;
}

/** Infers the input type of `plan` from the schema. The result has a common type, so that all tools are run alike. */
export function defineTool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolDefinition<Name, Input, Output> & Pick<BuiltinTool, "catalogue">,
): DefinedTool<Name, Input, Output> & Pick<BuiltinTool, "catalogue">;
export function defineTool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolDefinition<Name, Input, Output>,
): DefinedTool<Name, Input, Output>;
export function defineTool(tool: Tool): Tool {
  return tool;
}

/** Builds an intent to reach beyond the files. */
export const outward = (args: Omit<OutwardIntent, "kind">): OutwardIntent => ({ kind: "outward", ...args });

/**
 * Builds an intent that changes nothing: what the model reads, and the same as data. Hosts show a model one of the two,
 * so notes (a cut and how to go on, what was left out) are added to both.
 */
export const answer = (
  text: string | readonly Block[],
  data: Answer["data"],
  notes: readonly string[] = [],
): Answer => ({
  kind: "answer",
  blocks:
    typeof text === "string"
      ? [{ kind: "text", text: [...(text === "" ? [] : [text]), ...notes.map(bracketed)].join("\n") }]
      : [...text, ...notes.map((note): Block => ({ kind: "text", text: bracketed(note) }))],
  data: notes.length > 0 ? { ...data, notes } : data,
});

/** Formats a note for the text of an answer. */
export const bracketed = (note: string): string => `[${note}]`;
