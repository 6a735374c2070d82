import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { change, changed, mutating, quotedName } from "./changing/change-answer.ts";
import { pathInput } from "../paths.ts";
import { lookAlikeNotes } from "./changing/look-alikes.ts";
import { ADDITIVE, defineTool } from "../tool.ts";

const input = z.strictObject({ path: pathInput, ...mutating });
const output = z.object({ path: z.string(), created: z.boolean(), ...changed });

export const mkdir = defineTool({
  name: "mkdir",
  title: "Make a directory",
  description: "Make a directory and those above it.",
  annotations: { ...ADDITIVE, idempotentHint: true },
  catalogue: { group: "fs", order: 100 },
  input,
  output,

  async plan({ path, dry_run }, view) {
    const { place, now, missing } = await view.resolveTarget(path, "follow");
    if (now && now.facts.kind !== "directory")
      throw new Fault("exists", `Cannot make ${JSON.stringify(path)}: a file is there`, {
        path,
        hint: "Choose another name, or move the file first",
      });
    const fresh = now ? [] : [...missing, place];
    const changes: readonly Change[] = fresh.map((each) => ({ kind: "mkdir", path: each }));
    return change({
      isDryRun: dry_run,
      changes,
      lines: [now ? `${quotedName(view, place)} exists already` : ["Made", quotedName(view, place)]],
      warnings: await lookAlikeNotes(view, changes),
      data: () => ({ path, created: !now }),
    });
  },
});
