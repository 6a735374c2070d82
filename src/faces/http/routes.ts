/** Says who may use a route. */
export type Access =
  /** Anybody who reaches the port. */
  | "open"
  /** A client with the token of an account. */
  | "agent"
  /** A person who logged in. Requests that change something also need the key of the login. */
  | "person"
  /** A client with the token of the user's own account. */
  | "monitor";

/** Identifies who makes a request. */
export type Caller =
  | { readonly kind: "anybody" | "person" | "monitor" }
  | {
      readonly kind: "agent";
      /** Names the account. */
      readonly account: string;
      /** Tells apart the people behind one account: the subject of an access token. Sessions belong to one of them. */
      readonly subject: string;
    };

/** A part of the server below one path. */
export interface Route {
  /** The whole path, or one that ends with a slash and matches everything below it. */
  readonly path: string;
  readonly access: Access;
  handle(request: Request, caller: Caller): Response | Promise<Response>;
}

/** Returns the route for a path: the one that names it, or else the longest that it is below. */
export function routeFor(routes: readonly Route[], path: string): Route | undefined {
  const matching = routes.filter((route) => isBelow(path, route.path));
  return matching.toSorted((one, other) => other.path.length - one.path.length)[0];
}

const isBelow = (path: string, route: string): boolean =>
  path === route || (route.endsWith("/") && path.startsWith(route));
