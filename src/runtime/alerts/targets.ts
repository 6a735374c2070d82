import { LIMITS } from "../../base/limits.ts";
import { type AskProgram, failureOf } from "../../base/program.ts";
import type { Config } from "../../config/schema.ts";
import { type Alert, alertLine, type AlertTarget } from "./alerts.ts";
import { postJson } from "./post-json.ts";

/** Where alerts go. */
export interface AlertTargetConfig {
  readonly alert?: ((line: string) => void) | undefined;
  readonly alerts?: Config["alerts"];
}

/** The audit log has every call anyway. */
export const alertTargetsOf = ({ alert, alerts = {} }: AlertTargetConfig, run: AskProgram): readonly AlertTarget[] => [
  { name: "audit log", send: async () => {} },
  ...(alert ? [{ name: "stderr", send: async (told: Alert) => alert(alertLine(told)) }] : []),
  ...(alerts.webhook === undefined ? [] : [webhookWay(alerts.webhook)]),
  ...(alerts.command === undefined ? [] : [commandWay(alerts.command, run)]),
];

/** Posts alerts as JSON. */
const webhookWay = (url: string): AlertTarget => ({
  name: "webhook",
  send: (alert) => postJson(url, alert),
});

/** Runs a program of the operator, which gets the alert as JSON on its standard input. */
const commandWay = ([file, ...words]: readonly [string, ...string[]], run: AskProgram): AlertTarget => ({
  name: "command",
  async send(alert) {
    const asked = await run({ file, words, directory: "/" }, JSON.stringify(alert), LIMITS.alertWaitMs);
    const failure = failureOf(asked, LIMITS.alertWaitMs);
    if (failure !== undefined) throw new Error(failure);
  },
});
