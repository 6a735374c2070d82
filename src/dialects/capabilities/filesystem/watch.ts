import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { READ_ONLY } from "../../../tools/tool.ts";
import type { Native, NativeCalls } from "../../native.ts";
import { inFirstRoot } from "../../in-first-root.ts";
import { capability } from "../definition.ts";
import { invalidPattern, LIST, outOfScope } from "../errors.ts";
import { filesystemPath, globPattern } from "../schemas.ts";

const eventType = z.enum(["create", "modify", "delete", "rename"]);

export const watch = capability({
  name: "filesystem.watch",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Watches a directory for changes. Returns a watch_id, by which further calls get events or end the watch.",
  when_to_use: "To get changes as they happen. For the current state: filesystem.list or filesystem.search.",
  inputs: z.strictObject({
    path: filesystemPath.optional().describe("The directory, as an absolute path; required to start a watch"),
    recursive: z.boolean().optional().describe("Include everything below it (false)"),
    event_types: z.array(eventType).min(1).optional().describe("Only these; all if absent"),
    pattern: globPattern.optional().describe("Only matching names, such as *.log"),
    watch_id: z.string().max(LIMITS.quotedNameChars).optional().describe("A running watch: returns its events"),
    wait_ms: z.int().min(0).max(LIMITS.watchWaitMsMost).optional().describe("How long to wait for the first event"),
    cancel: z.boolean().optional().describe("With watch_id: end that watch"),
  }),
  outputs: z.object({
    watch_id: z.string(),
    path: filesystemPath.optional(),
    recursive: z.boolean().optional(),
    events: z
      .array(z.object({ type: eventType, path: filesystemPath, from: filesystemPath.optional() }))
      .optional()
      .describe("Since the last call"),
    overflow: z.boolean().optional().describe("Events were lost: check the files again"),
    cancelled: z.boolean().optional(),
  }),
  side_effects: [
    { description: "Directories are watched by the system until the watch is cancelled", reversible: true },
  ],
  common_patterns: [
    {
      name: "Wait for new files",
      steps: [
        "filesystem.watch(path=…, pattern='*.log', event_types=['create']) for a watch_id",
        "filesystem.watch(watch_id=…) for its events",
        "filesystem.read(path=…) for new files",
        "filesystem.watch(watch_id=…, cancel=true) at the end",
      ],
    },
  ],
  errors: [
    outOfScope("The path"),
    {
      type: "DirectoryNotFound",
      on: ["not_found", "not_a_directory"],
      description: "The directory does not exist",
      recovery: [LIST],
    },
    {
      type: "TooManyWatches",
      on: ["too_many_watches"],
      description: "The limit of watches of this session or of the system is reached",
      recovery: [
        {
          action: "reduce_scope",
          description: "Watch fewer directories, and without recursive",
          inputs: { recursive: false },
        },
        {
          action: "cancel_existing",
          description: "End a watch: call with its watch_id and cancel=true",
          inputs: { cancel: true },
        },
      ],
    },
    invalidPattern,
  ],
  tags: ["filesystem", "read", "safe", "events", "realtime"],
  acts: ["read"],
  uses: ["watch"],
  annotations: { ...READ_ONLY, idempotentHint: false },
  polls: ({ watch_id: id }) => id !== undefined,

  async run({ path, recursive = false, event_types, pattern, ...more }, native) {
    if (path === undefined) return watchAnswer(await native.call("watch", more), native);
    const directory = inFirstRoot(path, native);
    const input = {
      ...more,
      path: directory,
      recursive,
      ...(event_types && { event_types }),
      ...(pattern && { pattern }),
    };
    const { watch_id } = await native.call("watch", input);
    return { watch_id, path: directory, recursive };
  },
});

/** Leaves out the cursor: the watch itself keeps the position. */
const watchAnswer = (
  { watch_id, events, overflow, cancelled }: NativeCalls["watch"]["answer"],
  native: Native<"watch">,
) => ({
  watch_id,
  ...(events && { events: events.map(({ type, path, from }) => eventOf({ type, path, from }, native)) }),
  ...(overflow && { overflow }),
  ...(cancelled && { cancelled }),
});

interface NativeEvent {
  readonly type: z.output<typeof eventType>;
  readonly path: string;
  readonly from: string | undefined;
}

const eventOf = ({ type, path, from }: NativeEvent, native: Native<"watch">) => ({
  type,
  path: inFirstRoot(path, native),
  ...(from !== undefined && { from: inFirstRoot(from, native) }),
});
