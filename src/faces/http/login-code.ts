import { createHmac, randomBytes } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import { isSameSecret } from "../../runtime/server/tokens.ts";

/**
 * Makes the path of a link that logs in whoever opens it first, within `LIMITS.loginCodeMs`. It is signed with the
 * operator key, so that the command line makes links by itself and the key never leaves the machine.
 */
export function createLoginPath(operatorKey: string, nowMs = Date.now()): string {
  const signed = `${nowMs + LIMITS.loginCodeMs}.${randomBytes(16).toString("base64url")}`;
  return `${LOGIN_PATH}?code=${signed}.${signatureOf(signed, operatorKey)}`;
}

export const LOGIN_PATH = "/login";

/** Returns when a code expires. One that the key has not signed has expired long ago. */
export function expiryOf(code: string, operatorKey: string): number {
  const end = code.lastIndexOf(".");
  const signed = code.slice(0, Math.max(end, 0));
  return isSameSecret(code.slice(end + 1), signatureOf(signed, operatorKey)) ? Number.parseInt(signed, 10) : 0;
}

const signatureOf = (text: string, key: string): string => createHmac("sha256", key).update(text).digest("base64url");
