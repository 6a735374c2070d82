import * as z from "zod";
import { hasCode } from "../../base/errors.ts";
import { isoOf } from "../../base/time.ts";
import { versionOfChecksum } from "../../base/version.ts";
import { mimeOf } from "../../content/media.ts";
import type { Facts } from "../../storage/storage.ts";
import { plural } from "../../text/plural.ts";
import { quoted, visible } from "../../text/quote.ts";
import { suggestedPath, suggestionFor } from "../../workspace/did-you-mean.ts";
import type { View } from "../../workspace/view.ts";
import { checksumOf } from "../../workspace/read/whole-file.ts";
import { entryType } from "../entry-types.ts";
import { eachPath, type FailedPath, oneOrMany, pathOrPaths, pathsOf } from "../paths.ts";
import { answer, defineTool, READ_ONLY } from "../tool.ts";

const input = z.strictObject({ ...pathOrPaths, checksum: z.boolean().default(false).describe("Also SHA-256") });

const stated = z.object({
  path: z.string(),
  exists: z.boolean(),
  nearest: z.string().optional(),
  type: entryType.optional(),
  size: z.int().optional(),
  modified: z.string().optional(),
  created: z.string().optional(),
  accessed: z.string().optional(),
  permissions: z.string().optional(),
  owner: z.string().optional(),
  mime: z.string().optional(),
  target: z.string().optional(),
  outside: z.boolean().optional(),
  dangling: z.boolean().optional(),
  sha256: z.string().optional(),
  version: z.string().optional().describe("With checksum: what if_match takes"),
});

type Stated = z.output<typeof stated>;

export const stat = defineTool({
  name: "stat",
  title: "Look at files",
  description: "Type, size, times, permissions of paths. A missing path is an answer, not an error.",
  annotations: READ_ONLY,
  catalogue: { group: "fs", order: 90, profiles: ["readonly"] },
  input,
  output: oneOrMany(stated),
  reads: pathsOf,

  async plan({ path, paths, checksum }, view) {
    const all = pathsOf({ path, paths });
    if (path !== undefined) {
      const facts = await stateOf(path, checksum, view);
      return answer(lineOf(facts), facts);
    }
    const files = await eachPath(all, (each) => stateOf(each, checksum, view));
    return answer(files.map(lineOf).join("\n"), { files });
  },
});

async function stateOf(path: string, checksum: boolean, view: View): Promise<Stated> {
  const facts = await lookAt(path, view);
  if (!facts) return { path, exists: false, nearest: await similarTo(path, view) };
  const type = facts.kind === "file" ? mimeOf(path) : undefined;
  const mime = typeof type === "object" ? await type : type;
  const end = facts.kind === "symlink" ? await view.linkTargetOf(facts.path) : undefined;
  const target = end?.kind === "inside" ? end.place : undefined;
  return {
    path,
    exists: true,
    type: facts.kind,
    size: facts.size,
    modified: isoOf(facts.modifiedMs),
    created: isoOf(facts.createdMs),
    accessed: isoOf(facts.accessedMs),
    permissions: facts.mode.toString(8).padStart(3, "0"),
    owner: facts.owner,
    mime,
    target: target ? view.nameOf(target) : undefined,
    outside: end?.kind === "outside" ? true : undefined,
    dangling: end?.kind === "dangling" ? true : undefined,
    ...(checksum && (await checksumAt(path, target ? await view.stat(path, "follow") : facts, view))),
  };
}

/** Suggests an existing path with a similar name. */
async function similarTo(path: string, view: View): Promise<string | undefined> {
  const nearest = await suggestionFor(view, path);
  return nearest?.isSimilar ? nearest.name : undefined;
}

/** Returns null if the path does not exist, also when a parent is missing or is a file. */
async function lookAt(path: string, view: View): Promise<Facts | null> {
  try {
    return await view.stat(path, "keep");
  } catch (error) {
    if (hasCode(error, "not_found", "not_a_directory")) return null;
    throw error;
  }
}

/** Returns the checksum of a file, or of the file that a link points to. */
async function checksumAt(
  path: string,
  facts: Facts | null,
  view: View,
): Promise<Pick<Stated, "sha256" | "version"> | undefined> {
  if (facts?.kind !== "file") return undefined;
  return view.withFile(path, async (file) => {
    const sha256 = await checksumOf(file, view);
    return { sha256, version: file.original?.version ?? versionOfChecksum(file.facts, sha256) };
  });
}

function lineOf(facts: Stated | FailedPath): string {
  const name = quoted(facts.path);
  if ("error" in facts) return `${name}: ${visible(facts.error.message)}\n${facts.error.hint}`;
  if (!facts.exists && facts.nearest !== undefined)
    return `${name}: does not exist; ${suggestedPath(facts.path, facts.nearest)}`;
  if (!facts.exists) return `${name}: does not exist`;
  const { type, size, modified, permissions, owner, mime, target, outside, dangling, sha256, version } = facts;
  const words = [
    type,
    size !== undefined && plural(size, "byte"),
    `modified ${modified}`,
    permissions,
    owner,
    mime,
    target !== undefined && `-> ${quoted(target)}`,
    outside && "leads outside",
    dangling && "leads to nothing",
    sha256 && `sha256 ${sha256}`,
    version && `version ${version}`,
  ];
  return `${name}: ${words.filter(Boolean).join(", ")}`;
}
