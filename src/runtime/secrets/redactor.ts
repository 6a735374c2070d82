import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { SecretsMode } from "../../base/verdicts.ts";
import type { OpenFile, SafePath } from "../../storage/storage.ts";
import { holdsSecret, type Sensitivity } from "../../text/secrets/assignments.ts";
import { PLACEHOLDER_START, placeholdersInBytes } from "../../text/secrets/placeholder.ts";
import type { Block, ParsedInput, Tool } from "../../tools/tool.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { withRedactedContent } from "../../workspace/read/redacted-file.ts";
import { notRedacted, type AccessCallbacks } from "../../workspace/view.ts";
import { type SensitivePlaces, createSensitivePlaces } from "./sensitive-places.ts";
import type { Decision } from "../rules/rules.ts";
import { blankedFile, withoutKnownValues } from "./known-values.ts";
import { createSecretScanner, type SecretScanner, type FreshScan } from "./scanner.ts";
import { queryByPlaceholder } from "./placeholder-query.ts";
import {
  redactedText,
  mapTexts,
  type ReportedPlaceholders,
  withPlaceholderNote,
  withoutSecrets,
  mapStrings,
} from "./redact-answer.ts";
import { createEqualLengthTokens } from "./equal-length-tokens.ts";
import { createSecretRegistry, type SecretRegistry } from "./registry.ts";

/** Keeps the values of secrets from whoever calls tools, and lets work with them go on by their handles. */
export interface SecretRedactor {
  /** For one call of a session that was told so far of these. */
  forCall(tool: Tool, signal: Cancellation, reported: ReportedPlaceholders): CallRedactor;
  /** Text without the values that are known. */
  redactText(text: string): string;
}

/** The shield as it meets one call. */
export interface CallRedactor extends Required<
  Pick<AccessCallbacks, "redactedFile" | "onRecall" | "rewriteQuery" | "redactable" | "uncut">
> {
  /** What was asked for, with values for handles, or with stand-ins where text is looked for in covered files. */
  restorePlaceholders(input: ParsedInput): ParsedInput;
  /** What has to be decided before files leave the places that are shown without secrets. */
  checkEgress(changes: readonly Change[]): Decision;
  recordChanges(changes: readonly Change[]): void;
  /** What somebody is asked, without values. */
  redactPreview<Shown>(shown: Shown): Shown;
  redactResult<Result extends { readonly blocks: readonly Block[]; readonly data: Readonly<Record<string, unknown>> }>(
    result: Result,
  ): Result;
}

export interface RedactorOptions {
  readonly mode: SecretsMode;
  /** Names whose values are secret, whatever they look like. */
  readonly names: readonly string[];
  readonly roots: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function createSecretRedactor(options: RedactorOptions): SecretRedactor {
  if (options.mode === "off") return { forCall: () => noRedaction, redactText: (text) => text };
  const registry = createSecretRegistry();
  for (const [name, value] of environmentSecrets(options)) registry.placeholderFor(value, name.toUpperCase());
  const tools = {
    registry,
    places: createSensitivePlaces(options),
    scanner: createSecretScanner(registry, options.names),
  };
  return {
    forCall: (tool, signal, told) => ({
      ...redactorFactoryOf(tool)({ ...tools, reported: told }, signal, tool),
      uncut: (text) => registry.find(text),
    }),
    redactText: (text) => redactedText(text, registry),
  };
}

const redactorFactoryOf = ({ annotations: { readOnlyHint, openWorldHint } }: Tool) =>
  openWorldHint ? outwardRedactor : readOnlyHint ? readingRedactor : changingRedactor;

const ALLOWED: Decision = { verdict: "autonomous", reasons: [] };

const noRedaction: CallRedactor = {
  redactedFile: (file) => file,
  onRecall: () => {},
  rewriteQuery: (query) => query,
  redactable: (_, text) => notRedacted(text),
  uncut: () => [],
  restorePlaceholders: (input) => input,
  checkEgress: () => ALLOWED,
  recordChanges: () => {},
  redactPreview: (shown) => shown,
  redactResult: (result) => result,
};

const environmentSecrets = ({ env, names }: RedactorOptions): readonly (readonly [string, string])[] =>
  Object.entries(env).flatMap(([name, value = ""]) => {
    const isSecret = names.includes(name) || holdsSecret(name, value);
    return isSecret && value.length >= LIMITS.secretChars ? [[name, value] as const] : [];
  });

interface RedactionParts {
  readonly registry: SecretRegistry;
  readonly places: SensitivePlaces;
  readonly scanner: SecretScanner;
  readonly reported: ReportedPlaceholders;
}

const sensitivityOf = ({ places }: RedactionParts, { facts }: OpenFile, spelled: SafePath): Sensitivity | undefined =>
  places.sensitivityOf(facts.path) ?? (facts.path === spelled ? undefined : places.sensitivityOf(spelled));

/** Who only reads sees files as they are shown: no range, search or encoding gets at more. */
function readingRedactor(kit: RedactionParts, signal: Cancellation, tool: Tool): CallRedactor {
  const { registry, scanner } = kit;
  // What was masked holds no value that was known by then.
  let cleanFor: number | undefined;
  let isClean = true;
  let isEncoded = false;
  const files = new Set<string>();
  const encoded = new Set<string>();
  const plain = (file: OpenFile): OpenFile | Promise<OpenFile> => {
    isClean = false;
    if (!(tool.encodes ?? tool.excerpts) || registry.size() === 0) return file;
    if (!scanner.redactsKnownValues(file)) return isEncoded ? blankedFile(file, kit) : file;
    return withoutKnownValues(file, kit, signal).then((hidden) => {
      if (hidden.placeholders.size > 0) files.add(file.facts.path);
      hidden.placeholders.forEach((handle) => encoded.add(handle));
      return hidden.file;
    });
  };
  return {
    ...noRedaction,
    restorePlaceholders(input) {
      isEncoded = tool.encodes?.(input) ?? false;
      return input;
    },
    redactedFile(file, spelled) {
      const trust = sensitivityOf(kit, file, spelled);
      if (trust === undefined) return plain(file);
      isClean &&= scanner.redactsKnownValues(file);
      const see = (found: FreshScan): OpenFile | Promise<OpenFile> => {
        if (found.values.size > 0) files.add(file.facts.path);
        cleanFor ??= registry.size();
        found.placeholders.forEach((handle) => encoded.add(handle));
        if (!found.redactedFile && trust === "anything") return plain(file);
        const masked = requireRedactedFile(file, found);
        return isEncoded && !scanner.redactsKnownValues(file) ? blankedFile(masked, kit) : masked;
      };
      const looked = scanner.scanFile(file, trust, signal);
      return looked instanceof Promise ? looked.then(see) : see(looked);
    },
    rewriteQuery: (query) => queryByPlaceholder(query, registry),
    redactResult(result) {
      const isDone = isClean && cleanFor === registry.size();
      const shown = isDone ? result : withoutSecrets(result, registry, NONE);
      return withPlaceholderNote(shown, registry, {
        reported: kit.reported,
        files,
        encoded: isEncoded ? encoded : NONE,
      });
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

function requireRedactedFile(file: OpenFile, looked: FreshScan): OpenFile {
  const { redactedFile, redaction } = looked;
  if (redactedFile) return withRedactedContent(file, looked, redactedFile, redaction);
  throw new Fault("denied", "Cannot show it: it holds keys and is not text, so that nothing in it can be hidden", {
    hint: "Move or copy it without reading it, or ask the user",
  });
}

/** Who changes files works on what is really there; what he is told of it afterwards is without secrets. */
function changingRedactor(kit: RedactionParts, signal: Cancellation, tool: Tool): CallRedactor {
  const { registry, places, scanner } = kit;
  const tokens = tool.matches === true ? createEqualLengthTokens() : undefined;
  const decoding = createDecodingCheck(tool);
  const handedOut = new Set<string>();
  const sensitivities = new Map<string, Sensitivity>();
  let seenValues: ReadonlySet<string> = NONE;
  let isCarrying = false;
  const restore = (text: string): string => {
    if (!text.includes(PLACEHOLDER_START)) return text;
    isCarrying = true;
    return registry.restore(text, (value, handle) => {
      handedOut.add(value);
      return tokens?.tokenFor(value, handle) ?? value;
    });
  };
  const addSeen = <T>(values: ReadonlySet<string>, then: T): T => {
    seenValues = new Set([...seenValues, ...values]);
    isCarrying ||= values.size > 0;
    return then;
  };
  return {
    ...noRedaction,
    restorePlaceholders: (input) =>
      decoding.mayRestore(input) ? (mapStrings(input, restore, PATH_ARGUMENTS) as ParsedInput) : input,
    redactedFile(file, spelled) {
      const trust = sensitivityOf(kit, file, spelled);
      if (trust === undefined) return file;
      sensitivities.set(file.facts.path, trust);
      const looked = scanner.scanFile(file, trust, signal);
      return looked instanceof Promise
        ? looked.then(({ values }) => addSeen(values, file))
        : addSeen(looked.values, file);
    },
    redactable: (place, text) =>
      tokens?.substitute(text, scanner.findSpans(text, sensitivities.get(place), seenValues)) ?? notRedacted(text),
    // An earlier version of what a call works on holds secrets where that does, or did.
    onRecall: (bytes, place) =>
      isCarrying || (place !== undefined && sensitivities.has(place))
        ? addSeen(scanner.findInBytes(bytes), undefined)
        : undefined,
    checkEgress(changes) {
      decoding.check(changes);
      if (changes.some((change) => exposedTargets(change, places).length > 0)) return EXPOSES_SECRETS;
      return seenValues.size > 0 && changes.some((change) => registry.isSplitIn(textOf(change), seenValues))
        ? SPLITS_SECRET
        : ALLOWED;
    },
    recordChanges(changes) {
      const targets = changes.flatMap((change) => [
        ...(isCarrying ? writtenPaths(change) : []),
        ...exposedTargets(change, places),
      ]);
      for (const place of targets) places.add(place);
      // In a file of secrets a short value is found by its name, elsewhere it may stand alone.
      if (targets.some((place) => places.sensitivityOf(place) !== "credentials"))
        handedOut.forEach(registry.markWritten);
    },
    redactPreview: <Shown>(shown: Shown) =>
      mapStrings(shown, (text) => redactedText(text, registry, seenValues)) as Shown,
    redactResult(result) {
      const named = tokens ? mapTexts(result, tokens.withPlaceholders) : result;
      return withPlaceholderNote(withoutSecrets(named, registry, seenValues), registry, {
        reported: kit.reported,
        files: seenValues.size > 0 ? sensitivities.keys() : [],
      });
    },
  };
}

/** Who reaches beyond the files sees them as they are shown, and is handed no value for a handle: it would leave with it. */
function outwardRedactor(kit: RedactionParts, signal: Cancellation, tool: Tool): CallRedactor {
  const { redactedFile, onRecall, restorePlaceholders } = readingRedactor(kit, signal, tool);
  return { ...changingRedactor(kit, signal, tool), redactedFile, onRecall, restorePlaceholders };
}

/** Most arguments name none, and are left as they are. */
function hasPlaceholder(value: unknown): boolean {
  if (typeof value === "string") return value.includes(PLACEHOLDER_START);
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (hasPlaceholder(value[key as keyof typeof value])) return true;
  return false;
}

/** A secret must not become the name of a file: names are shown. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(["path", "paths", "source", "destination"]);

const EXPOSES_SECRETS: Decision = {
  verdict: "approval",
  reasons: ["it may hold secrets, and under its new name they would be shown"],
};

const SPLITS_SECRET: Decision = {
  verdict: "approval",
  reasons: ["it takes a secret apart, and what is left of that would be shown"],
};

/** Refuses handles in what a tool decodes, before and afterwards. */
function createDecodingCheck(tool: Tool) {
  let isDecoding = false;
  return {
    /** Whether a call names handles that may be restored. */
    mayRestore(input: ParsedInput): boolean {
      isDecoding = tool.decodes?.(input) ?? false;
      const isNamed = hasPlaceholder(input);
      if (isNamed && isDecoding) throw placeholderInEncodedContent();
      return isNamed;
    },
    check(changes: readonly Change[]): void {
      if (isDecoding && changes.some((change) => placeholdersInBytes(bytesOf(change)).length > 0))
        throw placeholderInEncodedContent();
    },
  };
}

/** Decoded, a handle would be written as it is, and a value be taken apart so that nobody knows it again. */
const placeholderInEncodedContent = (): Fault =>
  new Fault("invalid_input", "Cannot decode the content: the handle of a secret stands in it", {
    argument: "content",
    hint: "Write it as text, with the handle where the value is meant, or edit the file; nothing was changed",
  });

/** What a change puts there, as far as it says so itself. */
const textOf = (change: Change): string =>
  change.kind === "write" && change.content instanceof Uint8Array ? Buffer.from(change.content).toString("utf8") : "";

const bytesOf = (change: Change): string => {
  const bytes = change.kind === "write" ? change.content : change.kind === "append" ? change.bytes : undefined;
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("latin1") : "";
};

/** Returns the place where a change leaves something. */
const writtenPaths = (change: Change): readonly string[] => (change.kind === "remove" ? [] : [change.path]);

/** Returns the places to which a change takes a file where it is covered less than before. */
const exposedTargets = (change: Change, places: SensitivePlaces): readonly string[] =>
  relocationsIn(change).flatMap(([from, to]) => (isExposedByMove(from, to, places) ? [to] : []));

/** What this session alone covers is no cover for a file that all sessions cover: the next one would show it. */
const isExposedByMove = (from: string, to: string, places: SensitivePlaces): boolean =>
  places.isPermanent(from)
    ? !places.isPermanent(to)
    : places.sensitivityOf(from) !== undefined && places.sensitivityOf(to) === undefined;

const relocationsIn = (change: Change): readonly (readonly [from: string, to: string])[] => {
  if (change.kind === "move" || change.kind === "copy") return [[change.path, change.to]];
  if (change.kind === "write" && change.movedFrom !== undefined) return [[change.movedFrom, change.path]];
  return change.kind === "restore" && change.origin ? [[change.origin.path, change.path]] : [];
};
