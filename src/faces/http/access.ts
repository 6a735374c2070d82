import { OWN_ACCOUNT, type Tokens } from "../../runtime/server/tokens.ts";
import type { Logins } from "./login.ts";
import type { OAuth } from "./oauth.ts";
import { jsonResponse, refusal } from "./responses.ts";
import type { Access, Caller } from "./routes.ts";

/** Holds what requests are authenticated with. */
export interface AccessParts {
  /** Names the accounts. */
  readonly accounts: readonly string[];
  readonly tokens: Pick<Tokens, "ownerOf">;
  readonly logins: Pick<Logins, "isPerson">;
  readonly oauth?: OAuth | undefined;
  readonly warn: (message: string) => void;
}

/** Finds out who makes a request, or refuses it. */
export type Authenticate = (request: Request, access: Access) => Promise<Caller | Response>;

export function createAuthenticate(parts: AccessParts): Authenticate {
  const { logins } = parts;
  return async function authenticate(request, access) {
    switch (access) {
      case "open":
        return { kind: "anybody" };
      case "person":
        return logins.isPerson(request) ? { kind: "person" } : jsonResponse(401, { error: LOG_IN });
      case "monitor":
        return monitor(request, parts);
      case "agent":
        return agent(request, parts);
    }
  };
}

/** The refusal that the page shows. */
const LOG_IN = {
  code: "denied",
  message: "Cannot serve this: log in first",
  hint: "holdfast status prints a link",
};

/** Returns the bearer token of a request; empty where it has none. */
const bearerOf = (request: Request): string =>
  /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";

async function agent(request: Request, { oauth, ...parts }: AccessParts): Promise<Caller | Response> {
  const { accounts, tokens } = parts;
  const token = bearerOf(request);
  if (token === "") return challenge({ oauth });
  const account = tokens.ownerOf(token, accounts);
  if (account !== undefined) return { kind: "agent", account, subject: "" };
  if (!oauth) return challenge({}, "invalid_token");
  const checked = await oauth.check(token);
  if (checked.kind === "unavailable") return unavailable(checked.error, parts.warn);
  if (checked.kind !== "accepted") return challenge({ oauth }, checked.kind);
  if (!accounts.includes(checked.account)) return challenge({ oauth }, "insufficient_scope");
  return { kind: "agent", account: checked.account, subject: checked.subject };
}

function monitor(request: Request, { tokens, oauth }: AccessParts): Caller | Response {
  const isOwn = tokens.ownerOf(bearerOf(request), [OWN_ACCOUNT]) !== undefined;
  return isOwn ? { kind: "monitor" } : challenge({ oauth });
}

/** Refuses a request as RFC 6750 and RFC 9728 say, so that a client knows what to bring. */
function challenge({ oauth }: Pick<AccessParts, "oauth">, error?: "invalid_token" | "insufficient_scope"): Response {
  const parameters = [
    ...(error ? [`error="${error}"`] : []),
    ...(oauth ? [`scope="${oauth.scopes.join(" ")}"`, `resource_metadata="${oauth.metadataUrl}"`] : []),
  ];
  const headers = { "WWW-Authenticate": ["Bearer", parameters.join(", ")].filter(Boolean).join(" ") };
  if (error !== "insufficient_scope") return refusal(401, NO_TOKEN, headers);
  return refusal(403, `Cannot serve this: the token has none of the scopes ${oauth?.scopes.join(", ")}`, headers);
}

const NO_TOKEN = "Cannot serve this without a valid token: send it as Authorization: Bearer; holdfast token prints it";

function unavailable(error: unknown, warn: AccessParts["warn"]): Response {
  warn(`Cannot check an access token: the keys of the issuer cannot be read: ${String(error)}`);
  return refusal(503, "Cannot check the token now: the keys of its issuer cannot be read", { "Retry-After": "10" });
}
