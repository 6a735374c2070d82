import type { OpenFile, SafePath } from "../../storage/storage.ts";
import type { Sensitivity } from "../../text/secrets/assignments.ts";
import type { Block, ParsedInput } from "../../tools/tool.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { type AccessCallbacks, notRedacted } from "../../workspace/view.ts";
import type { Decision } from "../rules/decision.ts";
import type { ReportedPlaceholders } from "./redact-answer.ts";
import type { SecretRegistry } from "./registry.ts";
import type { SecretScanner } from "./scanner.ts";
import type { SensitivePlaces } from "./sensitive-places.ts";

/** Redacts everything that one call sees and answers. */
export interface CallRedactor extends Required<
  Pick<
    AccessCallbacks,
    | "redactedFile"
    | "onVersionRead"
    | "isSensitive"
    | "rewriteQuery"
    | "searchableText"
    | "uncuttableRanges"
    | "noteDocumentText"
  >
> {
  /** Replaces placeholders in the arguments by values, or by equal-length tokens for tools that match text in files. */
  restorePlaceholders(input: ParsedInput): ParsedInput;
  /** Decides whether changes may take content out of places whose secrets are hidden. */
  checkEgress(changes: readonly Change[]): Decision;
  recordChanges(changes: readonly Change[]): void;
  /** Redacts what the person who is asked for approval sees. */
  redactPreview<Shown>(shown: Shown): Shown;
  redactResult<Result extends { readonly blocks: readonly Block[]; readonly data: Readonly<Record<string, unknown>> }>(
    result: Result,
  ): Result;
}

export const noRedaction: CallRedactor = {
  redactedFile: async (file) => file,
  onVersionRead: () => {},
  isSensitive: () => false,
  rewriteQuery: async (query) => query,
  searchableText: (_, text) => notRedacted(text),
  uncuttableRanges: () => [],
  noteDocumentText: () => {},
  restorePlaceholders: (input) => input,
  checkEgress: () => ALLOWED,
  recordChanges: () => {},
  redactPreview: (shown) => shown,
  redactResult: (result) => result,
};

export const ALLOWED: Decision = { verdict: "autonomous", reasons: [] };

/** Holds what the redactors of all calls share. */
export interface RedactionParts {
  readonly registry: SecretRegistry;
  readonly places: SensitivePlaces;
  readonly scanner: SecretScanner;
  readonly reported: ReportedPlaceholders;
}

/** Judges a file by its real path and by the path that the call spelled, for a link may lead to a sensitive file. */
export const sensitivityOf = (
  { places }: RedactionParts,
  { facts }: OpenFile,
  spelled: SafePath,
): Sensitivity | undefined =>
  places.sensitivityOf(facts.path) ?? (facts.path === spelled ? undefined : places.sensitivityOf(spelled));
