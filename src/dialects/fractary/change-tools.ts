import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { DESTRUCTIVE } from "../../tools/tool.ts";
import { dialectTool } from "../dialect.ts";
import { envelopeSchema, successEnvelope, encoding, overwrite, filePath, source as named } from "./envelope.ts";
import { resolveFacts, linkFacts } from "./facts.ts";
import { type Storage, storageOf } from "./storage.ts";

export const write = dialectTool({
  name: "fractary_file_write",
  title: "Write a file",
  description: "Write content to a file, with the directories above it.",
  annotations: DESTRUCTIVE,
  input: z.strictObject({
    path: filePath.describe("Path to the file to write"),
    content: z.string().max(LIMITS.messageBytes).describe("Content to write"),
    encoding,
    overwrite,
    append: z.boolean().default(false).describe("Add to the end of the file"),
    source: named,
  }),
  output: envelopeSchema({ path: z.string(), fullPath: z.string(), size: z.int() }),
  uses: ["write"],
  async run({ source, ...args }, native) {
    const storage = storageOf(source, native);
    const { bytes } = await storage.call("write", args);
    return successEnvelope({ path: args.path, fullPath: storage.fullPath(args.path), size: bytes });
  },
});

export const remove = dialectTool({
  name: "fractary_file_delete",
  title: "Delete a file",
  description: "Delete a file. It is kept in the trash for a while.",
  annotations: DESTRUCTIVE,
  input: z.strictObject({ path: filePath.describe("Path to the file to delete"), source: named }),
  output: envelopeSchema({ path: z.string(), deleted: z.literal(true) }),
  uses: ["stat", "delete"],
  async run({ path: given, source }, native) {
    const storage = storageOf(source, native);
    await requireNoDirectory(storage, given);
    await storage.call("delete", { path: given });
    return successEnvelope({ path: given, deleted: true });
  },
});

const relocationInput = z.strictObject({
  source: filePath.describe("Source file path"),
  destination: filePath.describe("Destination file path"),
  overwrite,
  sourceStorage: named,
});

const relocationOutput = {
  source: z.string(),
  destination: z.string(),
  fullPath: z.string(),
  size: z.int().optional(),
};

export const copy = dialectTool({
  name: "fractary_file_copy",
  title: "Copy a file",
  description: "Copy a file, byte for byte.",
  annotations: DESTRUCTIVE,
  input: relocationInput,
  output: envelopeSchema({ ...relocationOutput, copied: z.literal(true) }),
  uses: ["stat", "copy"],
  async run({ sourceStorage, ...args }, native) {
    const storage = storageOf(sourceStorage, native);
    const { path } = await requireFiles(storage, args);
    // Copies the target of a link instead of the link, because a copied link would share the same bytes.
    const { size } = await storage.call("copy", { ...args, source: path });
    return successEnvelope({ ...relocationResult(storage, args, size), copied: true });
  },
});

export const move = dialectTool({
  name: "fractary_file_move",
  title: "Move a file",
  description: "Move or rename a file.",
  annotations: DESTRUCTIVE,
  input: relocationInput,
  output: envelopeSchema({ ...relocationOutput, moved: z.literal(true) }),
  uses: ["stat", "move"],
  async run({ sourceStorage, ...args }, native) {
    const storage = storageOf(sourceStorage, native);
    await requireFiles(storage, args);
    const { size } = await storage.call("move", args);
    return successEnvelope({ ...relocationResult(storage, args, size), moved: true });
  },
});

type Relocation = Omit<z.output<typeof relocationInput>, "sourceStorage">;

/** Throws if source or destination is a directory. Returns the target of the source. */
async function requireFiles(storage: Storage<"stat">, { source, destination }: Relocation): Promise<{ path: string }> {
  const from = await resolveFacts(storage, source);
  if (from.type === "directory") throw isDirectoryFault(source);
  await requireNoDirectory(storage, destination);
  return from;
}

const relocationResult = (storage: Storage<never>, { source, destination }: Relocation, size: number | undefined) => ({
  source,
  destination,
  fullPath: storage.fullPath(destination),
  size,
});

async function requireNoDirectory(storage: Storage<"stat">, path: string): Promise<void> {
  const { type } = await linkFacts(storage, path);
  if (type === "directory") throw isDirectoryFault(path);
}

const isDirectoryFault = (path: string): Fault =>
  new Fault("not_a_file", `Cannot use ${JSON.stringify(path)}: it is a directory`, { path });
