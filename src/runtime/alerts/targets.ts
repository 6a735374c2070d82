import { LIMITS } from "../../base/limits.ts";
import { type RunProgram, failureOf } from "../../base/program.ts";
import type { Config } from "../../config/schema.ts";
import { type Alert, alertLine, type AlertTarget } from "./alerts.ts";
import { postJson } from "./post-json.ts";

/** Where alerts go. */
export interface AlertTargetConfig {
  readonly alert?: ((line: string) => void) | undefined;
  readonly alerts?: Config["alerts"];
}

/** The audit log has every call anyway. */
export const alertTargetsOf = ({ alert, alerts = {} }: AlertTargetConfig, run: RunProgram): readonly AlertTarget[] => [
  { name: "audit log", send: async () => {} },
  ...(alert ? [{ name: "stderr", send: async (told: Alert) => alert(alertLine(told)) }] : []),
  ...(alerts.webhook === undefined ? [] : [webhookTarget(alerts.webhook)]),
  ...(alerts.command === undefined ? [] : [commandTarget(alerts.command, run)]),
];

/** Posts alerts as JSON. */
const webhookTarget = (url: string): AlertTarget => ({
  name: "webhook",
  send: (alert) => postJson(url, alert),
});

/** Runs a program of the operator, which gets the alert as JSON on its standard input. */
const commandTarget = ([file, ...words]: readonly [string, ...string[]], run: RunProgram): AlertTarget => ({
  name: "command",
  async send(alert) {
    const asked = await run({ file, args: words, directory: "/" }, JSON.stringify(alert), LIMITS.alertWaitMs);
    const failure = failureOf(asked, LIMITS.alertWaitMs);
    if (failure !== undefined) throw new Error(failure);
  },
});
