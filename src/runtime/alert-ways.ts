import { LIMITS } from "../base/limits.ts";
import type { Spawn } from "../base/program.ts";
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
export const commandWay = ([file, ...words]: readonly [string, ...string[]], spawn: Spawn): AlertWay => ({
  name: "command",
  async send(alert) {
    const program = spawn({ file, words, directory: "/", input: JSON.stringify(alert) });
    const timer = setTimeout(program.kill, LIMITS.alertWaitMs);
    // What it prints is nobody's concern, but it must not wait for somebody to read it.
    const drained = (async () => {
      for await (const _ of program.output);
    })().catch(() => {});
    const { code, complaint } = await program.ended;
    clearTimeout(timer);
    await drained;
    if (code !== 0) throw new Error(`it ended with code ${code} ${complaint}`.trimEnd());
  },
});
