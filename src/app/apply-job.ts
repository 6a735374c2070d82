import * as z from "zod";
import { type FaultAnswer, faultOf } from "../base/errors.ts";
import { callOperatorTool } from "../runtime/pipeline/call.ts";
import type { Session } from "../runtime/sessions/session.ts";
import { applyIntent } from "../tools/runtime/process.ts";
import { defineTool, OUTWARD } from "../tools/tool.ts";

/** Says what became of the changes of a job. */
export interface AppliedJob {
  readonly applied: boolean;
  /** Lists the changes, a line each. */
  readonly changes: readonly string[];
  readonly change_id?: string;
  readonly notes?: readonly string[];
}

/** Applies what a job changed on its view, for a person: planned, decided and journaled like the call of an agent. */
export async function applyJob(session: Session, id: string, prefer?: "ours" | "theirs"): Promise<AppliedJob> {
  const { isError, data } = await callOperatorTool(session, jobsApply, { id, prefer });
  if (isError) throw faultOf(data["error"] as FaultAnswer);
  const { applied, changes, change_id, notes } = data as unknown as AppliedJob;
  return { applied, changes, ...(change_id !== undefined && { change_id }), ...(notes && { notes }) };
}

/** Is in no toolset: an agent has `process` with the action "apply", and never decides a conflict. */
const jobsApply = defineTool({
  name: "jobs apply",
  title: "Apply the changes of a job",
  description: "Applies what a job changed on its view.",
  annotations: OUTWARD,
  input: z.strictObject({ id: z.string(), prefer: z.enum(["ours", "theirs"]).optional() }),
  output: z.object({ applied: z.boolean(), changes: z.array(z.string()), change_id: z.string().optional() }),
  plan: async ({ id, prefer }) => applyIntent(id, prefer),
});
