import type { z } from "zod";
import type { Containment } from "../storage/storage.ts";
import type { View } from "../workspace/view.ts";

/** One part of what a model is shown. Media are base64. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "audio"; readonly data: string; readonly mime: string };

/** What a tool wants. Tools look and compute; the runtime decides, asks, and performs. */
export type Intent = Answer;

export interface Answer {
  readonly kind: "answer";
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** What clients are told about a tool's effects; all four, so that no default misleads. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What a tool may know of the session it is called in. */
export interface SessionFacts {
  readonly id: string;
  readonly profile: string;
  readonly containment: Containment;
  /** What one page of text may hold. */
  readonly pageBytes: number;
  readonly counters: Readonly<Record<string, number>>;
  /** Tools that this session may not use. */
  readonly hiddenTools: readonly string[];
  roots(): readonly { readonly path: string; readonly read: boolean; readonly write: boolean }[];
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
  /** Names that callers know from elsewhere. Accepted, never listed. */
  readonly otherNames?: readonly string[];
  /** Paths the call names for reading: decided before any of them is opened. */
  reads?(input: Input): readonly string[];
  /** Says what should happen. Holds no power to make it happen. */
  plan(input: Input, view: View, session: SessionFacts): Promise<Intent>;
}

/** Ties the type of `plan`'s input to the schema; afterwards every tool looks alike. */
export const defineTool = <Schema extends z.ZodObject>(
  tool: Tool<z.output<Schema>> & { readonly input: Schema },
): Tool => tool;

export const answer = (text: string | readonly Block[], data: Answer["data"]): Answer => ({
  kind: "answer",
  blocks: typeof text === "string" ? [{ kind: "text", text }] : text,
  data,
});
