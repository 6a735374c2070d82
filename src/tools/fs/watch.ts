import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SafePath } from "../../storage/storage.ts";
import { plural } from "../../text/plural.ts";
import { globsOf } from "../../text/glob/glob.ts";
import { quoted } from "../../text/quote.ts";
import { orSuggestion } from "../../workspace/did-you-mean.ts";
import type { View } from "../../workspace/view.ts";
import { EVENT_TYPES, type EventPage, type WatchEvent } from "../../workspace/watch/event-queue.ts";
import { scopeOf } from "../../workspace/watch/watch-scope.ts";
import { noted } from "../notes.ts";
import { pathInput } from "../paths.ts";
import { answer, defineTool, READ_ONLY, type WatchIntent } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";

const input = z.strictObject({
  path: pathInput.optional(),
  recursive: z.boolean().optional().meta(UNLISTED.rare),
  pattern: z.string().min(1).max(LIMITS.argumentChars).optional(),
  event_types: z.array(z.enum(EVENT_TYPES)).min(1).optional().meta(UNLISTED.rare),
  watch_id: z.string().max(LIMITS.quotedNameChars).optional(),
  cursor: z.string().max(LIMITS.quotedNameChars).optional(),
  wait_ms: z.int().min(0).max(LIMITS.watchWaitMsMost).optional(),
  cancel: z.boolean().optional(),
});

type Input = z.output<typeof input>;

const output = z.object({
  watch_id: z.string(),
  path: z.string().optional(),
  recursive: z.boolean().optional(),
  events: z
    .array(
      z.object({
        type: z.enum(EVENT_TYPES),
        path: z.string(),
        from: z.string().optional(),
        change_id: z.string().optional(),
      }),
    )
    .optional(),
  cursor: z.string().optional(),
  overflow: z.boolean().optional(),
  cancelled: z.boolean().optional(),
  ...noted,
});

export const watch = defineTool({
  name: "watch",
  title: "Watch for changes",
  description: "Watch a path. Then wait for its events by watch_id.",
  annotations: { ...READ_ONLY, idempotentHint: false },
  catalogue: { group: "fs", order: 170, profiles: ["readonly"] },
  input,
  output,
  reads: ({ path }) => (path === undefined ? [] : [path]),
  polls: ({ watch_id: id }) => id !== undefined,

  async plan(args, view) {
    const { watch_id: id, path } = args;
    if ((id === undefined) === (path === undefined)) throw unclearFault('"path" to begin, or "watch_id" to go on');
    checkCombination(args);
    if (path !== undefined) return begin(path, args, view);
    return args.cancel ? end(id as string) : poll(id as string, args);
  },
});

const unclearFault = (needed: string): Fault =>
  new Fault("invalid_input", `Cannot use the arguments: give ${needed}`, { argument: "path" });

/** Refuses arguments that only the other kind of call uses, instead of ignoring them. */
function checkCombination(args: Input): void {
  const refused = args.path === undefined ? BEGIN_ARGUMENTS : POLL_ARGUMENTS;
  const given = refused.find((name) => args[name] !== undefined);
  if (given !== undefined)
    throw unclearFault(`"${given}" with ${args.path === undefined ? '"path"' : '"watch_id"'} only`);
}

const BEGIN_ARGUMENTS = ["recursive", "pattern", "event_types"] as const;
const POLL_ARGUMENTS = ["cursor", "wait_ms", "cancel"] as const;

async function begin(path: string, args: Input, view: View): Promise<WatchIntent> {
  const { recursive = true, pattern, event_types: types = EVENT_TYPES } = args;
  if (pattern !== undefined) globsOf(pattern, "pattern");
  const target = await orSuggestion(view, path, () => placeAt(view, path));
  return {
    kind: "watch",
    does: "begin",
    filter: { scope: scopeOf(view.roots, target, recursive), types, pattern },
    answerFor(id) {
      const data = { watch_id: id, path: view.nameOf(target), recursive };
      return answer(`Watching ${quoted(data.path)} as ${id}`, data, [`Call watch with watch_id="${id}" for events`]);
    },
  };
}

/** Resolves links: the target of a link is watched, not the link. */
async function placeAt(view: View, path: string): Promise<SafePath> {
  const { place, now } = await view.resolveTarget(path, "follow");
  if (now) return place;
  throw new Fault("not_found", `Cannot watch ${JSON.stringify(path)}: it does not exist`, { path: place });
}

const end = (id: string): WatchIntent => ({
  kind: "watch",
  does: "end",
  id,
  answerFor: () => answer(`Ended ${id}`, { watch_id: id, cancelled: true }),
});

const poll = (id: string, { cursor, wait_ms: waitMs = LIMITS.watchWaitMs }: Input): WatchIntent => ({
  kind: "watch",
  does: "poll",
  id,
  cursor,
  waitMs,
  answerFor(page, quietMs) {
    const { events, cursor: next, overflow } = page;
    const data = { watch_id: id, events, cursor: next, overflow };
    return answer(events.map(lineOf).join("\n"), data, notesOn(page, quietMs));
  },
});

function notesOn({ events, cursor, overflow, more }: EventPage, quietMs: number): readonly string[] {
  const notes: string[] = [];
  if (overflow) notes.push("Overflow: events were lost; look at the files again");
  if (more > 0) notes.push(`Cut: ${plural(more, "more event")}; cursor="${cursor}"`);
  if (events.length === 0 && notes.length === 0) notes.push(`Nothing changed for ${(quietMs / 1000).toFixed(1)} s`);
  return notes;
}

const lineOf = ({ type, path, from, change_id }: WatchEvent): string =>
  [type, from === undefined ? quoted(path) : `${quoted(from)} -> ${quoted(path)}`, change_id && `(change ${change_id})`]
    .filter(Boolean)
    .join(" ");
