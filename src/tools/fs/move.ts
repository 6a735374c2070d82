import { change, quotedName, versionAfter } from "./changing/change-answer.ts";
import { relocated, relocating, relocation } from "./changing/relocation.ts";
import { lookAlikeNotes } from "./changing/look-alikes.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";

export const move = defineTool({
  name: "move",
  title: "Move or rename",
  description: "Move or rename a file or directory.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "fs", order: 110 },
  input: relocating,
  output: relocated,

  async plan(args, view) {
    const { from, to, before, replaces } = await relocation(args, view, "move");
    const isSame = from.place === to.place;
    const expect = from.now.version;
    const { kind, size } = from.now.facts;
    const isFile = kind === "file";
    const moved = { kind: "move", path: from.place, to: to.place, expect, replaces, isFile } as const;
    const changes = isSame ? [] : [...before, moved];
    return change({
      isDryRun: args.dry_run,
      changes,
      lines: isSame ? [] : [["Moved", `${quotedName(view, from.place)} to ${quotedName(view, to.place)}`]],
      warnings: isSame ? [SAME] : await lookAlikeNotes(view, changes),
      data: (record) => ({
        source: args.source,
        destination: args.destination,
        ...(isFile && { size }),
        ...(view.mayOpen(from.place) && { version: from.now.version, ...versionAfter(record, to.place) }),
        replaced: !isSame && replaces !== null,
      }),
    });
  },
});

const SAME = "source and destination are the same; nothing was moved";
