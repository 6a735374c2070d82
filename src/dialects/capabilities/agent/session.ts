import * as z from "zod";
import { isoOf } from "../../../base/time.ts";
import { READ_ONLY } from "../../../tools/tool.ts";
import { capability } from "../definition.ts";
import { dateTime, filesystemPath } from "../schemas.ts";

export const agentSession = capability({
  name: "agent.session",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Describes this session: the directories that can be read and written, its age and its calls.",
  when_to_use: "At the start, and whenever a path was out of scope.",
  inputs: z.strictObject({}),
  outputs: z.object({
    session_id: z.string(),
    connected_at: dateTime,
    duration_seconds: z.int(),
    invocation_count: z.int(),
    resource_usage: z.object({ invocations: z.int(), failures: z.int() }),
    workspace_path: filesystemPath.describe("Relative paths start here"),
    readable: z.array(filesystemPath),
    writable: z.array(filesystemPath),
  }),
  side_effects: [],
  common_patterns: [
    { name: "See where to work", steps: ["agent.session()", "filesystem.list(path=…) of a writable directory"] },
  ],
  errors: [],
  tags: ["agent", "read", "safe"],
  acts: [],
  uses: ["session"],
  annotations: { ...READ_ONLY, idempotentHint: false },

  async run(_, native) {
    const { session_id, roots, counters } = await native.call("session", {});
    const { startedMs } = native.facts;
    const { calls = 0, faults = 0 } = counters;
    return {
      session_id,
      connected_at: isoOf(startedMs),
      duration_seconds: Math.round((Date.now() - startedMs) / 1000),
      invocation_count: calls,
      resource_usage: { invocations: calls, failures: faults },
      workspace_path: native.roots[0] ?? "/",
      readable: roots.filter(({ read }) => read).map(({ path }) => path),
      writable: roots.filter(({ write }) => write).map(({ path }) => path),
    };
  },
});
