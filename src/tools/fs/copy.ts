import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { checksumOf } from "../../workspace/read/whole-file.ts";
import { change, quotedName, versionAfter } from "./changing/change-answer.ts";
import { relocated, relocating, relocation } from "./changing/relocation.ts";
import { lookAlikeNotes } from "./changing/look-alikes.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";

export const copy = defineTool({
  name: "copy",
  title: "Copy",
  description: "Copy a file or a whole directory.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "fs", order: 120 },
  input: relocating,
  output: relocated.extend({ sha256: z.string().optional() }),

  async plan(args, view) {
    const { from, to, before, replaces } = await relocation(args, view, "copy");
    const { source, destination } = args;
    if (from.place === to.place)
      throw new Fault("invalid_input", `Cannot copy ${JSON.stringify(source)} onto itself`, {
        argument: "destination",
      });
    const { kind, size } = from.now.facts;
    const isFile = kind === "file";
    const sha256 = isFile ? await view.withFile(from.place, (file) => checksumOf(file, view)) : undefined;
    const expect = from.now.version;
    const copied = { kind: "copy", path: from.place, to: to.place, expect, replaces, isFile } as const;
    const changes = [...before, copied];
    return change({
      isDryRun: args.dry_run,
      changes,
      lines: [["Copied", `${quotedName(view, from.place)} to ${quotedName(view, to.place)}`]],
      warnings: await lookAlikeNotes(view, changes),
      data: (record) => ({
        source,
        destination,
        ...(isFile && { size, sha256 }),
        ...versionAfter(record, to.place),
        replaced: replaces !== null,
      }),
    });
  },
});
