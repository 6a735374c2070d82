import * as z from "zod";
import { parseStored } from "../../../base/stored-json.ts";

/** Holds what the console shows of a record of the audit log. */
const auditRecord = z.looseObject({
  time: z.number(),
  session: z.string().default(""),
  principal: z.enum(["agent", "user"]).default("agent"),
  agent: z.string().optional(),
  client: z.string().optional(),
  roots: z.array(z.string()).default([]),
  tool: z.string(),
  input: z.unknown(),
  code: z.string(),
  decision: z.looseObject({ verdict: z.string(), reasons: z.array(z.string()).optional() }).optional(),
  change: z.string().optional(),
  ms: z.number().default(0),
  chain: z.string(),
  n: z.number(),
});

export type AuditRecord = Readonly<z.output<typeof auditRecord>>;

/** Returns undefined for a line that is no record. */
export const auditRecordIn = (line: string): AuditRecord | undefined => parseStored(auditRecord, line);
