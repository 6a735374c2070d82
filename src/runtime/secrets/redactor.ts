import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { SecretsMode } from "../../base/verdicts.ts";
import type { OpenFile, SafePath } from "../../storage/storage.ts";
import { holdsSecret, type Sensitivity } from "../../text/secrets/assignments.ts";
import { PLACEHOLDER_START, placeholdersInBytes } from "../../text/secrets/placeholder.ts";
import type { Block, ParsedInput, Tool } from "../../tools/tool.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { redactedInstead } from "../../workspace/read/redacted-file.ts";
import { notRedacted, type AccessCallbacks } from "../../workspace/view.ts";
import { type SensitivePlaces, createSensitivePlaces } from "./sensitive-places.ts";
import type { Decision } from "../rules/rules.ts";
import { blankedFile, withoutKnown } from "./known-values.ts";
import { createSecretScanner, type SecretScanner, type FreshScan } from "./scan.ts";
import { queryByPlaceholder } from "./search.ts";
import {
  hiddenIn,
  textsOf,
  type ReportedPlaceholders,
  withPlaceholderNote,
  withoutSecrets,
  withStrings,
} from "./redact-answer.ts";
import { createPlaceholders } from "./placeholders.ts";
import { createSecretRegistry, type SecretRegistry } from "./registry.ts";

/** Keeps the values of secrets from whoever calls tools, and lets work with them go on by their handles. */
export interface SecretRedactor {
  /** For one call of a session that was told so far of these. */
  cover(tool: Tool, signal: Cancellation, told: ReportedPlaceholders): CallRedactor;
  /** Text without the values that are known. */
  hidden(text: string): string;
}

/** The shield as it meets one call. */
export interface CallRedactor extends Required<
  Pick<AccessCallbacks, "shown" | "recalled" | "sought" | "covered" | "uncut">
> {
  /** What was asked for, with values for handles, or with stand-ins where text is looked for in covered files. */
  restored(input: ParsedInput): ParsedInput;
  /** What has to be decided before files leave the places that are shown without secrets. */
  leaving(changes: readonly Change[]): Decision;
  performed(changes: readonly Change[]): void;
  /** What somebody is asked, without values. */
  preview<Shown>(shown: Shown): Shown;
  hidden<Result extends { readonly blocks: readonly Block[]; readonly data: Readonly<Record<string, unknown>> }>(
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
  if (options.mode === "off") return { cover: () => noRedaction, hidden: (text) => text };
  const vault = createSecretRegistry();
  for (const [name, value] of environmentSecrets(options)) vault.handleFor(value, name.toUpperCase());
  const tools = { vault, places: createSensitivePlaces(options), look: createSecretScanner(vault, options.names) };
  return {
    cover: (tool, signal, told) => ({
      ...coverFor(tool)({ ...tools, told }, signal, tool),
      uncut: (text) => vault.find(text),
    }),
    hidden: (text) => hiddenIn(text, vault),
  };
}

const coverFor = ({ annotations: { readOnlyHint, openWorldHint } }: Tool) =>
  openWorldHint ? outwardCover : readOnlyHint ? readingRedactor : changingRedactor;

const FREE: Decision = { verdict: "autonomous", reasons: [] };

const noRedaction: CallRedactor = {
  shown: (file) => file,
  recalled: () => {},
  sought: (query) => query,
  covered: (_, text) => notRedacted(text),
  uncut: () => [],
  restored: (input) => input,
  leaving: () => FREE,
  performed: () => {},
  preview: (shown) => shown,
  hidden: (result) => result,
};

const environmentSecrets = ({ env, names }: RedactorOptions): readonly (readonly [string, string])[] =>
  Object.entries(env).flatMap(([name, value = ""]) => {
    const isSecret = names.includes(name) || holdsSecret(name, value);
    return isSecret && value.length >= LIMITS.secretChars ? [[name, value] as const] : [];
  });

interface Kit {
  readonly vault: SecretRegistry;
  readonly places: SensitivePlaces;
  readonly look: SecretScanner;
  readonly told: ReportedPlaceholders;
}

const trustIn = ({ places }: Kit, { facts }: OpenFile, spelled: SafePath): Sensitivity | undefined =>
  places.trustIn(facts.path) ?? (facts.path === spelled ? undefined : places.trustIn(spelled));

/** Who only reads sees files as they are shown: no range, search or encoding gets at more. */
function readingRedactor(kit: Kit, signal: Cancellation, tool: Tool): CallRedactor {
  const { vault, look } = kit;
  // What was masked holds no value that was known by then.
  let cleanFor: number | undefined;
  let isClean = true;
  let isEncoded = false;
  const files = new Set<string>();
  const encoded = new Set<string>();
  const plain = (file: OpenFile): OpenFile | Promise<OpenFile> => {
    isClean = false;
    if (!(tool.encodes ?? tool.excerpts) || vault.size() === 0) return file;
    if (!look.hidesAll(file)) return isEncoded ? blankedFile(file, kit) : file;
    return withoutKnown(file, kit, signal).then((hidden) => {
      if (hidden.handles.size > 0) files.add(file.facts.path);
      hidden.handles.forEach((handle) => encoded.add(handle));
      return hidden.file;
    });
  };
  return {
    ...noRedaction,
    restored(input) {
      isEncoded = tool.encodes?.(input) ?? false;
      return input;
    },
    shown(file, spelled) {
      const trust = trustIn(kit, file, spelled);
      if (trust === undefined) return plain(file);
      isClean &&= look.hidesAll(file);
      const see = (found: FreshScan): OpenFile | Promise<OpenFile> => {
        if (found.values.size > 0) files.add(file.facts.path);
        cleanFor ??= vault.size();
        found.handles.forEach((handle) => encoded.add(handle));
        if (!found.masked && trust === "anything") return plain(file);
        const masked = seen(file, found);
        return isEncoded && !look.hidesAll(file) ? blankedFile(masked, kit) : masked;
      };
      const looked = look.file(file, trust, signal);
      return looked instanceof Promise ? looked.then(see) : see(looked);
    },
    sought: (query) => queryByPlaceholder(query, vault),
    hidden(result) {
      const isDone = isClean && cleanFor === vault.size();
      const shown = isDone ? result : withoutSecrets(result, vault, NONE);
      return withPlaceholderNote(shown, vault, { told: kit.told, files, encoded: isEncoded ? encoded : NONE });
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

function seen(file: OpenFile, looked: FreshScan): OpenFile {
  const { masked, mask } = looked;
  if (masked) return redactedInstead(file, looked, masked, mask);
  throw new Fault("denied", "Cannot show it: it holds keys and is not text, so that nothing in it can be hidden", {
    hint: "Move or copy it without reading it, or ask the user",
  });
}

/** Who changes files works on what is really there; what he is told of it afterwards is without secrets. */
function changingRedactor(kit: Kit, signal: Cancellation, tool: Tool): CallRedactor {
  const { vault, places, look } = kit;
  const standIns = tool.matches === true ? createPlaceholders() : undefined;
  const decoding = createDecodingCheck(tool);
  const handedOut = new Set<string>();
  const trusts = new Map<string, Sensitivity>();
  let met: ReadonlySet<string> = NONE;
  let isCarrying = false;
  const restore = (text: string): string => {
    if (!text.includes(PLACEHOLDER_START)) return text;
    isCarrying = true;
    return vault.restored(text, (value, handle) => {
      handedOut.add(value);
      return standIns?.standInFor(value, handle) ?? value;
    });
  };
  const meet = <T>(values: ReadonlySet<string>, then: T): T => {
    met = new Set([...met, ...values]);
    isCarrying ||= values.size > 0;
    return then;
  };
  return {
    ...noRedaction,
    restored: (input) =>
      decoding.admits(input) ? (withStrings(input, restore, PATH_ARGUMENTS) as ParsedInput) : input,
    shown(file, spelled) {
      const trust = trustIn(kit, file, spelled);
      if (trust === undefined) return file;
      trusts.set(file.facts.path, trust);
      const looked = look.file(file, trust, signal);
      return looked instanceof Promise ? looked.then(({ values }) => meet(values, file)) : meet(looked.values, file);
    },
    covered: (place, text) => standIns?.cover(text, look.spans(text, trusts.get(place), met)) ?? notRedacted(text),
    // An earlier version of what a call works on holds secrets where that does, or did.
    recalled: (bytes, place) =>
      isCarrying || (place !== undefined && trusts.has(place)) ? meet(look.bytes(bytes), undefined) : undefined,
    leaving(changes) {
      decoding.check(changes);
      if (changes.some((change) => leftFor(change, places).length > 0)) return LEAVES;
      return met.size > 0 && changes.some((change) => vault.isApartIn(textOf(change), met)) ? APART : FREE;
    },
    performed(changes) {
      const targets = changes.flatMap((change) => [
        ...(isCarrying ? changedBy(change) : []),
        ...leftFor(change, places),
      ]);
      for (const place of targets) places.add(place);
      // In a file of secrets a short value is found by its name, elsewhere it may stand alone.
      if (targets.some((place) => places.trustIn(place) !== "credentials")) handedOut.forEach(vault.handOut);
    },
    preview: <Shown>(shown: Shown) => withStrings(shown, (text) => hiddenIn(text, vault, met)) as Shown,
    hidden(result) {
      const named = standIns ? textsOf(result, standIns.named) : result;
      return withPlaceholderNote(withoutSecrets(named, vault, met), vault, {
        told: kit.told,
        files: met.size > 0 ? trusts.keys() : [],
      });
    },
  };
}

/** Who reaches beyond the files sees them as they are shown, and is handed no value for a handle: it would leave with it. */
function outwardCover(kit: Kit, signal: Cancellation, tool: Tool): CallRedactor {
  const { shown, recalled, restored } = readingRedactor(kit, signal, tool);
  return { ...changingRedactor(kit, signal, tool), shown, recalled, restored };
}

/** Most arguments name none, and are left as they are. */
function namesHandle(value: unknown): boolean {
  if (typeof value === "string") return value.includes(PLACEHOLDER_START);
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (namesHandle(value[key as keyof typeof value])) return true;
  return false;
}

/** A secret must not become the name of a file: names are shown. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(["path", "paths", "source", "destination"]);

const LEAVES: Decision = {
  verdict: "approval",
  reasons: ["it may hold secrets, and under its new name they would be shown"],
};

const APART: Decision = {
  verdict: "approval",
  reasons: ["it takes a secret apart, and what is left of that would be shown"],
};

/** Refuses handles in what a tool decodes, before and afterwards. */
function createDecodingCheck(tool: Tool) {
  let isDecoding = false;
  return {
    /** Whether a call names handles that may be restored. */
    admits(input: ParsedInput): boolean {
      isDecoding = tool.decodes?.(input) ?? false;
      const isNamed = namesHandle(input);
      if (isNamed && isDecoding) throw decodedHandle();
      return isNamed;
    },
    check(changes: readonly Change[]): void {
      if (isDecoding && changes.some((change) => placeholdersInBytes(bytesOf(change)).length > 0))
        throw decodedHandle();
    },
  };
}

/** Decoded, a handle would be written as it is, and a value be taken apart so that nobody knows it again. */
const decodedHandle = (): Fault =>
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
const changedBy = (change: Change): readonly string[] => (change.kind === "remove" ? [] : [change.path]);

/** Returns the places to which a change takes a file where it is covered less than before. */
const leftFor = (change: Change, places: SensitivePlaces): readonly string[] =>
  journeysOf(change).flatMap(([from, to]) => (isLessCovered(from, to, places) ? [to] : []));

/** What this session alone covers is no cover for a file that all sessions cover: the next one would show it. */
const isLessCovered = (from: string, to: string, places: SensitivePlaces): boolean =>
  places.isLasting(from)
    ? !places.isLasting(to)
    : places.trustIn(from) !== undefined && places.trustIn(to) === undefined;

const journeysOf = (change: Change): readonly (readonly [from: string, to: string])[] => {
  if (change.kind === "move" || change.kind === "copy") return [[change.path, change.to]];
  if (change.kind === "write" && change.movedFrom !== undefined) return [[change.movedFrom, change.path]];
  return change.kind === "restore" && change.origin ? [[change.origin.path, change.path]] : [];
};
