import * as z from "zod";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { versionOfBytes } from "../base/version.ts";
import type { Sighting } from "../storage/hands.ts";
import type { SafePath } from "../storage/storage.ts";
import { countLines } from "../text/changes.ts";
import { counted } from "../text/counted.ts";
import { encode, firstUnencodable } from "../text/encode.ts";
import { detectEncoding } from "../text/detect-encoding.ts";
import { encodingNamed, wholeCharacters } from "../text/encoding.ts";
import { literalBreakWarnings } from "../text/literal-breaks.ts";
import { inManner, type Manner, mannerNamed, mannerOf } from "../text/manner.ts";
import type { Change } from "../workspace/change.ts";
import { sourceOfFile } from "../workspace/scan.ts";
import type { Target, View } from "../workspace/view.ts";
import { change, changed, mutating, named, versionAfter } from "./mutation.ts";
import { pathInput } from "./paths.ts";
import { ifMatch, parents, requireMatch, requireParents } from "./preconditions.ts";
import { type Rewritten, rewritten } from "./rewriting.ts";
import { DESTRUCTIVE, defineTool } from "./tool.ts";

const input = z.strictObject({
  path: pathInput,
  content: z.string().max(LIMITS.messageBytes),
  encoding: z.string().max(LIMITS.argumentChars).optional().describe('"base64" for bytes'),
  append: z.boolean().default(false),
  overwrite: z.boolean().default(true).meta({ unlisted: true }),
  create_parents: z.boolean().default(true).meta({ unlisted: true }),
  if_match: ifMatch,
  ...mutating,
});

type Input = z.output<typeof input>;

const output = z.object({
  path: z.string(),
  bytes: z.int(),
  version: z.string().optional(),
  created: z.boolean(),
  ...changed,
});

/** What it takes and answers. */
export interface WriteCall {
  readonly input: z.input<typeof input>;
  readonly answer: z.output<typeof output>;
}

export const write = defineTool({
  name: "write",
  title: "Write a file",
  description: "Create a file, replace it, or append to it.",
  annotations: DESTRUCTIVE,
  input,
  output,

  async plan(wanted, view) {
    const target = await view.target(wanted.path, "follow");
    const now = fileAt(target, wanted);
    const written = now && wanted.append ? await appended(wanted, view, target) : await replaced(wanted, view, target);
    const { verb, bytes, changes, diff, notes } = written;
    const { place } = target;
    const what = `${named(view, place)}: ${counted(bytes, "byte")}`;
    return change({
      isDryRun: wanted.dry_run,
      changes,
      lines: [verb === UNCHANGED ? `${UNCHANGED} ${what}` : [verb, what]],
      diff,
      warnings: notes,
      data: (record) => ({
        path: wanted.path,
        bytes,
        ...(changes.length === 0 && now && { version: now.version }),
        ...versionAfter(record, place),
        created: record ? record.effects.some(({ action, path }) => action === "create" && path === place) : !now,
      }),
    });
  },
});

const UNCHANGED = "Left as it is:";

interface Written {
  readonly verb: "Created" | "Replaced" | "Appended to" | typeof UNCHANGED;
  readonly bytes: number;
  readonly changes: readonly Change[];
  readonly diff?: string | undefined;
  readonly notes?: readonly string[] | undefined;
}

async function replaced(wanted: Input, view: View, target: Target): Promise<Written> {
  const { place, now } = target;
  if (!wanted.create_parents) requireParents(target, view);
  const given = now && wanted.encoding === undefined ? await inItsManner(wanted, view, place) : asGiven(wanted);
  const content: Rewritten = now
    ? await rewritten(view, place, now, given.bytes, wanted.if_match)
    : { ...given, ...newLines(wanted) };
  const { bytes, diff, notes = [], ...told } = content;
  const isSame = now?.version === versionOfBytes(bytes);
  const fresh: Change = { kind: "write", path: place, content: bytes, expect: now?.version ?? null, ...told };
  return {
    verb: isSame ? UNCHANGED : now ? "Replaced" : "Created",
    bytes: bytes.length,
    changes: isSame ? [] : [...parents(target), fresh],
    diff,
    notes: [...given.notes, ...notes, ...literalBreaks(wanted)],
  };
}

/** What the history counts where nothing is replaced; bytes need not be lines. */
const newLines = ({ content, encoding }: Input): Pick<Rewritten, "lines"> =>
  encoding === "base64" ? {} : { lines: { added: countLines(content), removed: 0 } };

interface Given {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
}

const asGiven = (wanted: Input): Given => ({ bytes: bytesOf(wanted, "utf-8"), notes: [] });

/** Who says nothing of the encoding does not want another one: it stays, with its mark and its line ends. */
async function inItsManner(wanted: Input, view: View, place: SafePath): Promise<Given> {
  const manner = await mannerAt(view, place);
  if (!manner) return asGiven(wanted);
  const content = inManner(wanted.content, manner);
  const bytes = bytesOf({ ...wanted, content }, manner.label);
  const isPlain = content === wanted.content && manner.label === "utf-8";
  return { bytes, notes: isPlain ? [] : [`the file stays ${mannerNamed(manner)}; ${EXACTLY}`] };
}

const EXACTLY = 'with encoding "utf-8" it is written exactly as given';

const literalBreaks = ({ content, encoding }: Input): readonly string[] =>
  encoding === "base64" ? [] : literalBreakWarnings("the content", content);

function fileAt({ now }: Target, { path, overwrite, append, if_match }: Input): Sighting | null {
  if (path.endsWith("/") || now?.facts.kind === "directory")
    throw new Fault("not_a_file", `Cannot write ${JSON.stringify(path)}: that names a directory`, {
      path,
      hint: "Name a file, without a slash at the end",
    });
  if (now && now.facts.kind !== "file")
    throw new Fault("special_file", `Cannot write ${JSON.stringify(path)}: it is not a regular file`, { path });
  if (now && !overwrite && !append)
    throw new Fault("exists", `Cannot write ${JSON.stringify(path)}: it exists already`, { path });
  if (!now && if_match !== undefined)
    throw new Fault("stale", `Cannot write ${JSON.stringify(path)}: it does not exist any more`, { path });
  return now;
}

function bytesOf({ content, encoding: wanted }: Input, usual: string): Uint8Array {
  const encoding = wanted ?? usual;
  if (encoding === "base64") return base64Bytes(content);
  const label = encodingNamed(encoding);
  const bytes = encode(content, label);
  if (bytes) return bytes;
  const odd = firstUnencodable(content, label);
  const which = odd ? `${JSON.stringify(odd.character)} in line ${odd.line}` : "a character";
  throw new Fault("cannot_encode", `Cannot write it in ${label}: ${which} is not in that encoding`, {
    encoding: label,
    ...(wanted === undefined && { hint: `The file is ${label}. Write what it has, or give another encoding` }),
  });
}

function base64Bytes(content: string): Uint8Array {
  const plain = content.replaceAll(/\s/g, "");
  if (plain.length % 4 !== 1 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return Buffer.from(plain, "base64");
  throw new Fault("invalid_input", 'Cannot write: "content" is not base64', { argument: "content" });
}

/** What is added goes on in the encoding of what is there. */
async function appended(wanted: Input, view: View, target: Target): Promise<Written> {
  const { place: path } = target;
  const expect = wanted.if_match;
  await requireMatch(target, expect, wanted.path, view);
  const bytes = bytesOf(wanted, (await mannerAt(view, path))?.label ?? "utf-8");
  const addition: Change = { kind: "append", path, bytes, expect, ...newLines(wanted) };
  return { verb: "Appended to", bytes: bytes.length, changes: [addition], notes: literalBreaks(wanted) };
}

/** Null where it is no text. */
const mannerAt = (view: View, place: SafePath): Promise<Manner | null> =>
  view.withFile(place, async (file) => {
    const head = await sourceOfFile(file).part(0, LIMITS.sniffBytes);
    const encoding = await detectEncoding(head, head.length === file.facts.size);
    return encoding && mannerOf(head.subarray(0, wholeCharacters(head, encoding.label)), encoding);
  });
