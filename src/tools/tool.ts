import type { z } from "zod";
import type { Act } from "../base/verdicts.ts";
import type { Containment } from "../storage/storage.ts";
import type { ChangeRecord, ChangeSet } from "../workspace/changes/change.ts";
import type { View } from "../workspace/view.ts";
import type { EventPage } from "../workspace/watch/event-queue.ts";
import type { WatchFilter } from "../workspace/watch/events.ts";

/** One part of what a model is shown. Media are base64. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "audio"; readonly data: string; readonly mime: string }
  | { readonly kind: "resource"; readonly data: string; readonly mime: string; readonly uri: string };

/** What blocks say, as one string; media are only named. */
export const textOf = (blocks: readonly Block[]): string =>
  blocks.map((block) => (block.kind === "text" ? block.text : `[${block.mime}]`)).join("\n");

/** How much blocks hold, in characters. */
export const charsIn = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + (block.kind === "text" ? block.text : block.data).length, 0);

/** What a tool wants. Tools look and compute; the runtime decides, asks, and performs. */
export type Intent = Answer | EffectfulIntent | ResumeIntent;

/** What does something. */
export type EffectfulIntent = ChangeIntent | WatchIntent | OutwardIntent;

/** A call that waited for a yes should go on. */
export interface ResumeIntent {
  readonly kind: "resume";
  readonly approval: string;
  /** Words the answer of that call as one of this. */
  tell(done: Omit<Answer, "kind">): Omit<Answer, "kind">;
}

export interface Answer {
  readonly kind: "answer";
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Files should change. What is approved and shown is the very list that is committed. */
export interface ChangeIntent extends ChangeSet {
  readonly kind: "change";
  /** Only shown: nothing is changed. */
  readonly isDryRun: boolean;
  /** How it looks, for whoever has to say yes. */
  readonly preview: string;
  /** Words the answer once it is done; without a record, as it would be. */
  tell(record: ChangeRecord | null): Omit<Answer, "kind">;
}

/** A watch should begin, be heard, or end. It lives in the session, longer than the call. */
export type WatchIntent = BeginWatch | PollWatch | EndWatch;

interface BeginWatch {
  readonly kind: "watch";
  readonly does: "begin";
  readonly filter: WatchFilter;
  tell(id: string): Omit<Answer, "kind">;
}

interface PollWatch {
  readonly kind: "watch";
  readonly does: "hear";
  readonly id: string;
  readonly cursor: string | undefined;
  /** How long to wait while nothing happens. */
  readonly waitMs: number;
  /** `quietMs` is how long nothing has happened by now. */
  tell(page: EventPage, quietMs: number): Omit<Answer, "kind">;
}

interface EndWatch {
  readonly kind: "watch";
  readonly does: "end";
  readonly id: string;
  tell(): Omit<Answer, "kind">;
}

/** Something beyond the files should happen: a request, a program, a call of another server. Nothing takes it back. */
export interface OutwardIntent {
  readonly kind: "outward";
  /** What it is, as rules call it. */
  readonly acts: readonly OutwardAct[];
  /** What is reached, on one line, for whoever has to say yes: "POST https://example.org/issues". */
  readonly target: string;
  /** All that is sent there. A yes is for exactly this. */
  readonly sends: string;
  /** Does it, once it is allowed. The signal is aborted when nobody waits any more. */
  run(signal: AbortSignal): Promise<Omit<Answer, "kind">>;
}

export type OutwardAct = Extract<Act, "exec" | "network">;

/** What clients are told about a tool's effects; all four, so that no default misleads. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Takes something away that undo or restore brings back. */
export const DESTRUCTIVE: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** Adds, and takes nothing away. */
export const ADDITIVE: Annotations = { ...DESTRUCTIVE, destructiveHint: false };

/** Changes nothing. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Reaches beyond the files, where nothing can be promised and nothing be undone. It is given no secrets. */
export const OUTWARD: Annotations = { ...DESTRUCTIVE, openWorldHint: true };

/** What a tool may know of the session it is called in. */
export interface SessionFacts {
  readonly id: string;
  readonly profile: string;
  readonly containment: Containment;
  /** What one page of text may hold. */
  readonly pageBytes: number;
  /** Undefined where the context window is declared: then only bytes count. */
  readonly pageLines: number | undefined;
  readonly counters: Readonly<Record<string, number>>;
  /** Tools that this session may not use, with what hides them and what would bring them back. */
  readonly hiddenTools: readonly { readonly tool: string; readonly reason: string; readonly fix: string }[];
  /** Why nothing can be changed, where a file of the workspace cannot be used. */
  readonly problems: readonly string[];
  readonly startedMs: number;
  /** The disks below the roots, in bytes; a root without one is left out. */
  disks(): readonly { readonly path: string; readonly total: number; readonly free: number }[];
  roots(): readonly { readonly path: string; readonly read: boolean; readonly write: boolean }[];
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
  | "media";

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
  /** Wire name; equals the file name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** What is shown of its arguments where another program judges them: then nothing is said of its answers. */
  readonly shows?: Readonly<Record<string, unknown>>;
  /** Is required of built-in tools. Tools of plugins have none. */
  readonly catalogue?: CatalogueEntry;
  /** Names that callers know from elsewhere. Accepted, never listed. */
  readonly otherNames?: readonly string[];
  /** Only for the person whom the agent belongs to. */
  readonly ownerOnly?: boolean;
  /** Shown only to sessions whose lists ask for it, by its name or its plugin. */
  readonly optional?: boolean;
  /** The plugin that brought it. */
  readonly plugin?: string;
  /** Paths the call names for reading: decided before any of them is opened. */
  reads?(input: Input): readonly string[];
  /** Finds text of the caller's in files, and by handles: it looks for it in what `view.covered` gives, and handles are put as they stand there. */
  readonly matches?: boolean;
  /** Gives bytes by ranges or encoded: known secrets are hidden in a file before it is read, not in the answer. True for all such calls of a large file. */
  encodes?(input: Input): boolean;
  /** Shows parts of lines: known secrets are hidden in a small file before it is searched, and not cut apart in a large one. */
  readonly excerpts?: boolean;
  /** Whether text of the caller's is decoded before it is written: no handle may stand in it. */
  decodes?(input: Input): boolean;
  /** Whether the call only looks if something has moved: that may be done often, and how long it waits makes no other call. */
  polls?(input: Input): boolean;
  /** Goes on with calls of other tools that waited: clients are told that it does what any of those may do, too. */
  readonly resumes?: boolean;
  /** Says what should happen. Holds no power to make it happen. */
  plan(input: Input, view: View, session: SessionFacts): Promise<Intent>;
}

/** A tool that still knows what it takes and gives. */
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

/** Ties the type of `plan`'s input to the schema; afterwards every tool looks alike to whoever runs it. */
export function defineTool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolDefinition<Name, Input, Output> & Pick<BuiltinTool, "catalogue">,
): DefinedTool<Name, Input, Output> & Pick<BuiltinTool, "catalogue">;
export function defineTool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolDefinition<Name, Input, Output>,
): DefinedTool<Name, Input, Output>;
export function defineTool(tool: Tool): Tool {
  return tool;
}

/** An intent to reach beyond the files. */
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
