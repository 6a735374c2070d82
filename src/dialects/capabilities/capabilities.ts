import type { Act, Verdict } from "../../base/verdicts.ts";
import type { Dialect } from "../dialect.ts";
import { agentSession } from "./agent/session.ts";
import { alertsSend } from "./alerts/send.ts";
import { type CapabilityTool, VERDICT_OF } from "./definition.ts";
import { append } from "./filesystem/append.ts";
import { copy } from "./filesystem/copy.ts";
import { remove } from "./filesystem/delete.ts";
import { list } from "./filesystem/list.ts";
import { move } from "./filesystem/move.ts";
import { read } from "./filesystem/read.ts";
import { restore } from "./filesystem/restore.ts";
import { search } from "./filesystem/search.ts";
import { searchContent } from "./filesystem/search_content.ts";
import { stat } from "./filesystem/stat.ts";
import { watch } from "./filesystem/watch.ts";
import { write } from "./filesystem/write.ts";
import { answerFaultWith } from "./refusal.ts";
import { diskUsage } from "./system/disk_usage.ts";

export const CAPABILITIES: readonly CapabilityTool[] = [
  read,
  write,
  list,
  remove,
  restore,
  stat,
  search,
  searchContent,
  copy,
  move,
  watch,
  append,
  agentSession,
  alertsSend,
  diskUsage,
];

/** Offers the filesystem capabilities of KruxOS, and those that their errors refer to. */
export const capabilities: Dialect = {
  name: "capabilities",
  tools: CAPABILITIES,
  instructions:
    "A capability is called by its name with two underscores for the dot: filesystem.search is filesystem__search.",
  answerFault: (fault, call) => answerFaultWith(CAPABILITIES, fault, call),
  verdicts: verdictsOf(CAPABILITIES),
  // Calls do not wait for an approval: the agent repeats the call once it is approved.
  approvalWaitMs: 0,
};

/** Maps each act to the verdict of the capability that does it. */
function verdictsOf(tools: readonly CapabilityTool[]): Readonly<Partial<Record<Act, Verdict>>> {
  return Object.fromEntries(
    tools.flatMap(({ capability: { acts, permission_tier: tier } }) => acts.map((act) => [act, VERDICT_OF[tier]])),
  );
}
