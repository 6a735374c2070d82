import type { createRemoteJWKSet } from "jose";
import type { OAuthConfig } from "../../config/server.ts";
import { jsonResponse } from "./responses.ts";
import type { Route } from "./routes.ts";

/** Says what an access token allows. */
export type TokenCheck =
  | { readonly kind: "accepted"; readonly account: string; readonly subject: string }
  /** Is returned for a valid token that has none of the scopes. */
  | { readonly kind: "insufficient_scope" }
  | { readonly kind: "invalid_token" }
  /** Is returned while the keys of the authorization server cannot be read. */
  | { readonly kind: "unavailable"; readonly error: unknown };

/** Checks access tokens of an authorization server, as a resource server of OAuth 2.1 does. */
export interface OAuth {
  check(token: string): Promise<TokenCheck>;
  /** The address of the metadata, for challenges. */
  readonly metadataUrl: string;
  readonly scopes: readonly string[];
  readonly routes: readonly Route[];
}

/** Loads `jose` with the first token. `resource` is the address of the MCP endpoint, and the audience of tokens. */
export function createOAuth(config: OAuthConfig, resource: URL): OAuth {
  const { issuer, jwks, audience = resource.href, scopes } = config;
  const metadataPath = `/.well-known/oauth-protected-resource${resource.pathname}`;
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  const metadata = {
    resource: resource.href,
    authorization_servers: [issuer],
    scopes_supported: Object.keys(scopes),
    bearer_methods_supported: ["header"],
    resource_name: "Holdfast",
  };
  return {
    async check(token) {
      const { createRemoteJWKSet: remoteKeys, errors, jwtVerify } = await import("jose");
      keys ??= remoteKeys(new URL(jwks));
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          requiredClaims: CLAIMS,
        });
        const granted = scopesIn(payload["scope"] ?? payload["scp"]);
        const scope = Object.keys(scopes).find((each) => granted.includes(each));
        if (scope === undefined) return { kind: "insufficient_scope" };
        return { kind: "accepted", account: scopes[scope] as string, subject: String(payload.sub) };
      } catch (error) {
        // A client would throw away a good token if the outage of the key server counted as a bad one.
        const isOutage = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout;
        return isOutage || error.code === "ERR_JOSE_GENERIC"
          ? { kind: "unavailable", error }
          : { kind: "invalid_token" };
      }
    },
    metadataUrl: new URL(metadataPath, resource).href,
    scopes: Object.keys(scopes),
    routes: [metadataPath, "/.well-known/oauth-protected-resource"].map((path) => ({
      path,
      access: "open",
      handle: () => jsonResponse(200, metadata),
    })),
  };
}

/** Lists signatures with public keys only: a shared secret would let anybody who can check a token make one. */
const ALGORITHMS = ["RS256", "PS256", "ES256", "ES384", "EdDSA"];
const CLAIMS = ["exp", "sub"];

/** Reads scopes as RFC 9068 writes them, separated by spaces, or as a list. */
const scopesIn = (scope: unknown): readonly string[] =>
  Array.isArray(scope) ? scope.map(String) : typeof scope === "string" ? scope.split(" ") : [];
