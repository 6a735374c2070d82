import { LIMITS } from "../base/limits.ts";

/** Posts something to an address of the operator's. Only the status of the answer counts; rejects unless it is a good one. */
export async function postJson(url: string, value: unknown): Promise<void> {
  const { ok, status, body } = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
    redirect: "error",
    signal: AbortSignal.timeout(LIMITS.postMs),
  });
  await body?.cancel();
  if (!ok) throw new Error(`it answered with status ${status}`);
}
