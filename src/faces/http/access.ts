import { isSameSecret, OWN_ACCOUNT, type Tokens } from "../../runtime/server/tokens.ts";
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
  /** Authenticates the command line of the user. */
  readonly operatorKey: string;
  readonly oauth?: OAuth | undefined;
}

/** Finds out who makes a request, or refuses it. */
export type Authenticate = (request: Request, access: Access) => Promise<Caller | Response>;

export function createAuthenticate(parts: AccessParts): Authenticate {
  const { logins, operatorKey } = parts;
  return async function authenticate(request, access) {
    switch (access) {
      case "open":
        return { kind: "anybody" };
      case "person":
        return logins.isPerson(request) ? { kind: "person" } : jsonResponse(401, { error: LOG_IN });
      case "operator":
        return isSameSecret(bearerOf(request), operatorKey) ? { kind: "operator" } : challenge(parts);
      case "monitor":
        return monitor(request, parts);
      case "agent":
        return agent(request, parts);
    }
  };
}

/** Is what the page shows of a refusal. */
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
  if (checked.kind !== "accepted") return challenge({ oauth }, checked.kind);
  if (!accounts.includes(checked.account)) return challenge({ oauth }, "insufficient_scope");
  return { kind: "agent", account: checked.account, subject: checked.subject };
}

function monitor(request: Request, { tokens, operatorKey, oauth }: AccessParts): Caller | Response {
  const token = bearerOf(request);
  const isOwn = tokens.ownerOf(token, [OWN_ACCOUNT]) !== undefined;
  return isOwn || isSameSecret(token, operatorKey) ? { kind: "operator" } : challenge({ oauth });
}

/** Refuses a request as RFC 6750 and RFC 9728 say, so that a client knows what to bring. */
function challenge({ oauth }: Pick<AccessParts, "oauth">, error?: "invalid_token" | "insufficient_scope"): Response {
  const parameters = [
    ...(error ? [`error="${error}"`] : []),
    ...(oauth ? [`scope="${oauth.scopes.join(" ")}"`, `resource_metadata="${oauth.metadataUrl}"`] : []),
  ];
  const status = error === "insufficient_scope" ? 403 : 401;
  const header = ["Bearer", parameters.join(", ")].filter(Boolean).join(" ");
  const message = "Cannot serve this without a valid token: send it as Authorization: Bearer; holdfast token prints it";
  return refusal(status, message, { "WWW-Authenticate": header });
}
