import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { versionOfBytes } from "../../base/version.ts";
import type { Snapshot } from "../../storage/writer.ts";
import type { SafePath } from "../../storage/storage.ts";
import { countLines } from "../../text/diff/line-changes.ts";
import { plural } from "../../text/plural.ts";
import { encode, firstUnencodable } from "../../text/encoding/encode.ts";
import type { LineStats } from "../../text/diff/diff.ts";
import { encodingNamed } from "../../text/encoding/encoding.ts";
import { literalBreakWarnings } from "../../text/edit/literal-breaks.ts";
import { inTextFormat, type TextFormat, textFormatNamed } from "../../text/encoding/text-format.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { sourceOfFile } from "../../workspace/read/scan.ts";
import type { Target, View } from "../../workspace/view.ts";
import { textFormatIn } from "./changing/merge-base.ts";
import { change, changed, mutating, quotedName, versionAfter } from "./changing/change-answer.ts";
import { pathInput } from "../paths.ts";
import { ifMatch, mkdirMissingParents, requireMatch, requireParents } from "./changing/preconditions.ts";
import { planRewrite, type Unseen } from "./changing/rewriting.ts";
import { lookAlikeNotes } from "./changing/look-alikes.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";

const input = z.strictObject({
  path: pathInput,
  content: z.string().max(LIMITS.messageBytes),
  encoding: z.string().max(LIMITS.argumentChars).optional().describe('"base64" for bytes'),
  append: z.boolean().default(false),
  overwrite: z
    .boolean()
    .optional()
    .describe("true: replace what is there; false: only create; absent: merge with lines that you have not seen")
    .meta({ listed: { type: "boolean", description: "true: replace; false: only create; absent: merge" } }),
  create_parents: z.boolean().default(true).meta(UNLISTED.rare),
  if_match: ifMatch,
  ...mutating,
});

type Input = z.output<typeof input>;

const output = z.object({
  path: z.string(),
  bytes: z.int(),
  version: z.string().optional(),
  created: z.boolean(),
  replaced_unseen: z.boolean().optional(),
  unchanged: z.boolean().optional().describe("The file had this content already"),
  ...changed,
});

export const write = defineTool({
  name: "write",
  title: "Write a file",
  description: "Create a file, replace it, or append to it.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "fs", order: 20, step: "base" },
  decodes: ({ encoding }) => encoding === "base64",
  input,
  output,

  async plan(args, view) {
    const target = await view.resolveTarget(args.path, "follow");
    const now = fileAt(target, args);
    const written = await (!now
      ? createFile(args, view, target)
      : args.append
        ? appendToFile(args, view, target)
        : replaceFile(args, view, target.place, now));
    const { verb, bytes, changes, diff, notes, unseen } = written;
    const { place } = target;
    const what = `${unseen ? UNSEEN[unseen] : ""}${quotedName(view, place)}: ${plural(bytes, "byte")}`;
    return change({
      isDryRun: args.dry_run,
      changes,
      lines: [verb === UNCHANGED ? `${UNCHANGED} ${what}` : [verb, what]],
      diff,
      warnings: notes,
      data: (record) => ({
        path: args.path,
        bytes,
        ...(changes.length === 0 && now && { version: now.version }),
        ...versionAfter(record, place),
        ...(unseen && { replaced_unseen: true }),
        ...(verb === UNCHANGED && { unchanged: true }),
        created: record ? record.effects.some(({ action, path }) => action === "create" && path === place) : !now,
      }),
    });
  },
});

const UNCHANGED = "Left as it is:";

const UNSEEN: Readonly<Record<Unseen, string>> = {
  never: "a file this session has not read: ",
  changed: "a file that has changed since this session read it: ",
  unread: "",
};

const UNREAD = "this session has changed the file before, but not read it: undo brings back what else was in it";

interface WriteOutcome {
  readonly verb: "Created" | "Replaced" | "Appended to" | typeof UNCHANGED;
  readonly bytes: number;
  readonly changes: readonly Change[];
  readonly diff?: string | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly unseen?: Unseen | undefined;
}

/** Plans a new file and its missing parent directories. */
async function createFile(args: Input, view: View, target: Target): Promise<WriteOutcome> {
  const { place } = target;
  if (!args.create_parents) requireParents(target, view);
  const { bytes: content } = literalContent(args);
  const fresh: Change = { kind: "write", path: place, content, expect: null, isKnown: true, ...newLines(args) };
  const changes = [...mkdirMissingParents(target), fresh];
  const seen = view.seenFiles.at(place);
  return {
    verb: "Created",
    bytes: content.length,
    changes,
    notes: [
      ...(seen && !seen.isDeleted ? [DELETED] : []),
      ...literalBreaks(args),
      ...(await lookAlikeNotes(view, changes)),
    ],
  };
}

const DELETED = "the file was deleted since this session read it";

async function replaceFile(args: Input, view: View, place: SafePath, now: Snapshot): Promise<WriteOutcome> {
  const { if_match, overwrite = false } = args;
  const given = args.encoding === undefined ? await inFileFormat(args, view, place) : literalContent(args);
  const content = await planRewrite(view, place, now, { ...given, if_match, overwrite });
  const { bytes, diff, notes = [], unseen, ...rest } = content;
  const isSame = rest.expect === versionOfBytes(bytes);
  const fresh: Change = {
    kind: "write",
    path: place,
    content: bytes,
    ...(unseen !== undefined && { isUnseen: true }),
    ...rest,
  };
  return {
    verb: isSame ? UNCHANGED : "Replaced",
    bytes: bytes.length,
    changes: isSame ? [] : [fresh],
    diff,
    notes: [...given.notes, ...notes, ...(unseen === "unread" ? [UNREAD] : []), ...literalBreaks(args)],
    unseen: isSame ? undefined : unseen,
  };
}

/** Counts lines for the history. Base64 content need not have lines. */
const newLines = ({ content, encoding }: Input): { readonly lines?: LineStats } =>
  encoding === "base64" ? {} : { lines: { added: countLines(content), removed: 0 } };

interface NewContent {
  readonly bytes: Uint8Array;
  /** The encoding of the bytes. It is null if they need not be text. */
  readonly label: string | null;
  readonly notes: readonly string[];
}

const literalContent = (args: Input): NewContent => ({
  bytes: bytesOf(args, "utf-8"),
  label: args.encoding === "base64" ? null : encodingNamed(args.encoding ?? "utf-8"),
  notes: [],
});

/** Encodes text like the existing file, with its byte-order mark and line endings, if the caller names no encoding. */
async function inFileFormat(args: Input, view: View, place: SafePath): Promise<NewContent> {
  const format = await textFormatAt(view, place);
  if (!format) return literalContent(args);
  const content = inTextFormat(args.content, format);
  const bytes = bytesOf({ ...args, content }, format.label);
  const isPlain = content === args.content && format.label === "utf-8";
  return {
    bytes,
    label: format.label,
    notes: isPlain ? [] : [`the file stays ${textFormatNamed(format)}; ${EXACTLY}`],
  };
}

const EXACTLY = 'with encoding "utf-8" it is written exactly as given';

const literalBreaks = ({ content, encoding }: Input): readonly string[] =>
  encoding === "base64" ? [] : literalBreakWarnings("the content", content);

function fileAt({ now }: Target, { path, overwrite, append, if_match }: Input): Snapshot | null {
  if (path.endsWith("/") || now?.facts.kind === "directory")
    throw new Fault("not_a_file", `Cannot write ${JSON.stringify(path)}: that names a directory`, {
      path,
      hint: "Name a file, without a slash at the end",
    });
  if (now && now.facts.kind !== "file")
    throw new Fault("special_file", `Cannot write ${JSON.stringify(path)}: it is not a regular file`, { path });
  if (now && overwrite === false && !append)
    throw new Fault("exists", `Cannot write ${JSON.stringify(path)}: it exists already`, { path });
  if (!now && if_match !== undefined)
    throw new Fault("stale", `Cannot write ${JSON.stringify(path)}: it does not exist any more`, { path });
  return now;
}

function bytesOf({ content, encoding: given }: Input, fallback: string): Uint8Array {
  const encoding = given ?? fallback;
  if (encoding === "base64") return base64Bytes(content);
  const label = encodingNamed(encoding);
  const bytes = encode(content, label);
  if (bytes) return bytes;
  const odd = firstUnencodable(content, label);
  const which = odd ? `${JSON.stringify(odd.character)} in line ${odd.line}` : "a character";
  throw new Fault("cannot_encode", `Cannot write it in ${label}: ${which} is not in that encoding`, {
    encoding: label,
    ...(given === undefined && { hint: `The file is ${label}. Write what it has, or give another encoding` }),
  });
}

function base64Bytes(content: string): Uint8Array {
  const plain = content.replaceAll(/\s/g, "");
  if (plain.length % 4 !== 1 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return Buffer.from(plain, "base64");
  throw new Fault("invalid_input", 'Cannot write: "content" is not base64', { argument: "content" });
}

/** Plans an append in the encoding of the existing file. */
async function appendToFile(args: Input, view: View, target: Target): Promise<WriteOutcome> {
  const { place: path } = target;
  const expect = args.if_match;
  await requireMatch(target, expect, args.path, view);
  const bytes = bytesOf(args, (await textFormatAt(view, path))?.label ?? "utf-8");
  const addition: Change = { kind: "append", path, bytes, expect, ...newLines(args) };
  return { verb: "Appended to", bytes: bytes.length, changes: [addition], notes: literalBreaks(args) };
}

/** Returns null if the file is not text. */
const textFormatAt = (view: View, place: SafePath): Promise<TextFormat | null> =>
  view.withFile(place, async (file) => {
    const head = await sourceOfFile(file).part(0, LIMITS.sniffBytes);
    return textFormatIn(head, file.facts.size);
  });
