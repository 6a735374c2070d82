import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { SEVERITIES } from "../../../runtime/alerts/alerts.ts";
import { ADDITIVE } from "../../../tools/tool.ts";
import { capability } from "../definition.ts";

export const alertsSend = capability({
  name: "alerts.send",
  version: "1.0",
  permission_tier: "autonomous",
  purpose: "Sends a message to the people behind this agent. There is no reply.",
  when_to_use: "For problems that an agent cannot solve: missing access, a full disk, something that looks wrong.",
  inputs: z.strictObject({
    message: z.string().min(1).max(LIMITS.alertChars),
    severity: z.enum(SEVERITIES).default("info"),
    context: z
      .record(z.string(), z.unknown())
      .refine(isShort, { message: `is longer than ${LIMITS.alertChars} characters of JSON` })
      .optional()
      .describe("Details that help to understand it"),
  }),
  outputs: z.object({
    alert_id: z.string(),
    delivered_to: z.array(z.string()).describe("The channels that received it"),
    severity: z.enum(SEVERITIES),
  }),
  side_effects: [{ description: "People get the message, and it is in the audit log", reversible: false }],
  common_patterns: [
    {
      name: "Ask for access",
      steps: ["agent.session() to see what is missing", "alerts.send(message='I need …', severity='warning')"],
    },
  ],
  errors: [
    {
      type: "RateLimited",
      on: ["loop"],
      description: "There were too many alerts recently",
      recovery: [{ action: "wait", description: "People have been notified: continue without them, or wait a minute" }],
    },
  ],
  tags: ["alerts", "notify"],
  acts: [],
  uses: ["session"],
  makesNoNativeCalls: true,
  annotations: { ...ADDITIVE, openWorldHint: true },

  async run({ message, severity, context }, native) {
    const { alert_id, delivered_to } = await native.alert({ message, severity, ...(context && { context }) });
    return { alert_id, delivered_to: [...delivered_to], severity };
  },
});

/** Returns false for a context that is too long, or nested too deeply to be serialized. */
function isShort(context: object): boolean {
  try {
    return JSON.stringify(context).length <= LIMITS.alertChars;
  } catch {
    return false;
  }
}
