import { LIMITS } from "../../base/limits.ts";
import { type RunProgram, failureOf } from "../../base/program.ts";
import type { Config } from "../../config/schema.ts";
import { type Alert, alertLine, type AlertTarget } from "./alerts.ts";
import { postJson } from "./post-json.ts";

/** Configures the targets of alerts. */
export interface AlertTargetConfig {
  readonly onAlert?: ((line: string) => void) | undefined;
  readonly alerts?: Config["alerts"];
}

/** Creates the targets. The audit log needs no action, since it has every call anyway. */
export const alertTargetsOf = (
  { onAlert, alerts = {} }: AlertTargetConfig,
  run: RunProgram,
): readonly AlertTarget[] => [
  { name: "audit log", send: async () => {} },
  ...(onAlert ? [{ name: "stderr", send: async (sent: Alert) => onAlert(alertLine(sent)) }] : []),
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
    const finished = await run({ file, args: words, directory: "/" }, JSON.stringify(alert), LIMITS.alertWaitMs);
    const failure = failureOf(finished, LIMITS.alertWaitMs);
    if (failure !== undefined) throw new Error(failure);
  },
});
