import { errnoOf } from "../../base/errno.ts";
import { LIMITS } from "../../base/limits.ts";

/** Posts a value as JSON to a URL of the operator. Ignores the body of the answer; rejects unless its status is 2xx. */
export async function postJson(url: string, value: unknown): Promise<void> {
  const { ok, status, body } = await answerTo(url, value);
  await body?.cancel();
  if (!ok) throw new Error(`it answered with status ${status}`);
}

async function answerTo(url: string, value: unknown): Promise<Response> {
  try {
    return await fetch(url, optionsFor(value));
  } catch (error) {
    throw new Error(reasonOf(error, new URL(url).origin), { cause: error });
  }
}

const optionsFor = (value: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
  redirect: "error",
  signal: AbortSignal.timeout(LIMITS.postMs),
});

/** Names only the origin: the rest of a URL may hold a secret. */
function reasonOf(error: unknown, origin: string): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `${origin} did not answer in ${LIMITS.postMs / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = errnoOf(cause);
  if (code === "ECONNREFUSED") return `nothing listens at ${origin}`;
  if (code === "ENOTFOUND") return `there is no host of the name in ${origin}`;
  const why = code ?? (cause instanceof Error ? cause.message : undefined);
  return `cannot reach ${origin}${why === undefined ? "" : `: ${why}`}`;
}
