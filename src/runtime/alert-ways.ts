import { LIMITS } from "../base/limits.ts";
import type { AskProgram } from "../base/program.ts";
import type { AlertWay } from "./alerts.ts";

/** Posts alerts as JSON. Only the status of the answer counts. */
export const webhookWay = (url: string): AlertWay => ({
  name: "webhook",
  async send(alert) {
    const { ok, status, body } = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(alert),
      redirect: "error",
      signal: AbortSignal.timeout(LIMITS.alertWaitMs),
    });
    await body?.cancel();
    if (!ok) throw new Error(`it answered with status ${status}`);
  },
});

/** Runs a program of the operator, which gets the alert as JSON on its standard input. */
export const commandWay = ([file, ...words]: readonly [string, ...string[]], run: AskProgram): AlertWay => ({
  name: "command",
  async send(alert) {
    const { code, complaint } = await run({ file, words, directory: "/" }, JSON.stringify(alert), LIMITS.alertWaitMs);
    if (code !== 0) throw new Error(`it ended with code ${code} ${complaint}`.trimEnd());
  },
});
