import { LIMITS } from "../base/limits.ts";
import type { AskProgram } from "../base/program.ts";
import type { AlertWay } from "./alerts.ts";
import { postJson } from "./post-json.ts";

/** Posts alerts as JSON. */
export const webhookWay = (url: string): AlertWay => ({
  name: "webhook",
  send: (alert) => postJson(url, alert),
});

/** Runs a program of the operator, which gets the alert as JSON on its standard input. */
export const commandWay = ([file, ...words]: readonly [string, ...string[]], run: AskProgram): AlertWay => ({
  name: "command",
  async send(alert) {
    const { code, complaint } = await run({ file, words, directory: "/" }, JSON.stringify(alert), LIMITS.alertWaitMs);
    if (code !== 0) throw new Error(`it ended with code ${code} ${complaint}`.trimEnd());
  },
});
