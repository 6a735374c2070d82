import { createHash, randomBytes } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import { isSameSecret } from "../../runtime/server/tokens.ts";
import { expiryOf, LOGIN_PATH } from "./login-code.ts";
import { PAGE_PATH } from "./paths.ts";
import { redirectTo, textResponse } from "./responses.ts";
import type { Route } from "./routes.ts";

/** Lets people log in with a link that works once, and recognizes them by a cookie. */
export interface Logins {
  /** Returns true for a request with the cookie of a login and, if it changes something, the key of that login. */
  isPerson(request: Request): boolean;
  readonly route: Route;
}

/** Names the header with the key. */
const KEY_HEADER = "x-holdfast-key";

/**
 * Gives each login a cookie and a key. Browsers send the cookie to every port of this machine, so that a page that an
 * agent serves would get it as well; the key stays in the page. It gets there in the fragment of an address, which
 * browsers send to nobody.
 */
export function createLogins(operatorKey: string, isSecure: boolean, nowMs: () => number = Date.now): Logins {
  const usedCodes = createExpiring<true>(nowMs);
  const logins = createExpiring<string>(nowMs);
  const isFirstUse = (code: string): boolean => {
    const leftMs = expiryOf(code, operatorKey) - nowMs();
    if (leftMs <= 0 || usedCodes.get(code)) return false;
    usedCodes.add(code, true, leftMs);
    return true;
  };
  const cookieName = isSecure ? "__Host-holdfast" : "holdfast";
  const login = (): Response => {
    const [cookie, key] = [createSecret(), createSecret()];
    logins.add(cookie, key, LIMITS.loginMs);
    const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${LIMITS.loginMs / 1000}${isSecure ? "; Secure" : ""}`;
    return redirectTo(`${PAGE_PATH}#key=${key}`, { "Set-Cookie": `${cookieName}=${cookie}; ${attributes}` });
  };
  return {
    isPerson(request) {
      if (!isOwnPage(request)) return false;
      const keys = cookiesIn(request, cookieName).flatMap((cookie) => logins.get(cookie) ?? []);
      const given = request.headers.get(KEY_HEADER) ?? "";
      return keys.some((key) => isRead(request) || isSameSecret(given, key));
    },
    route: {
      path: LOGIN_PATH,
      access: "open",
      handle(request) {
        const code = new URL(request.url).searchParams.get("code") ?? "";
        if (request.method === "GET" && isFirstUse(code)) return login();
        return textResponse(401, "This link was used or has expired: holdfast status prints a new one");
      },
    },
  };
}

const createSecret = (): string => randomBytes(32).toString("base64url");

const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

/** Returns false for a request that a page of another origin makes. Programs that are no browser do not say. */
const isOwnPage = ({ headers }: Request): boolean =>
  ["same-origin", "none", null].includes(headers.get("sec-fetch-site"));

/** Returns all cookies of a name: a page on another port of this machine can add one of its own, even before ours. */
const cookiesIn = (request: Request, name: string): readonly string[] =>
  (request.headers.get("cookie") ?? "")
    .split(/;\s*/)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

/** Keeps values by a secret until they expire, at most `LIMITS.logins`. Secrets are kept as digests. */
function createExpiring<Value>(nowMs: () => number) {
  const entries = new Map<string, { readonly value: Value; readonly untilMs: number }>();
  const get = (secret: string): Value | undefined => {
    const entry = entries.get(digestOf(secret));
    return entry && nowMs() < entry.untilMs ? entry.value : undefined;
  };
  return {
    get,
    add(secret: string, value: Value, ms: number): void {
      for (const [digest, { untilMs }] of entries) if (untilMs <= nowMs()) entries.delete(digest);
      const [oldest] = entries.keys();
      if (oldest !== undefined && entries.size >= LIMITS.logins) entries.delete(oldest);
      entries.set(digestOf(secret), { value, untilMs: nowMs() + ms });
    },
  };
}

const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
