import { refusal } from "./responses.ts";

/** Says by which names the server may be addressed. */
export interface ServerNames {
  /** Lists names of hosts without a port. */
  readonly hosts: readonly string[];
  readonly scheme: "http" | "https";
  /** The origin that a proxy or tunnel gives the server. */
  readonly publicOrigin?: string | undefined;
}

/** Lists the names of this machine for itself. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses a request for another host: a page whose name was made to lead here (DNS rebinding). Refuses one that a page
 * of another origin sends; the whole origin counts, because other ports of this machine serve other people's pages.
 */
export function checkNames(request: Request, { hosts, scheme, publicOrigin }: ServerNames): Response | undefined {
  const host = request.headers.get("host") ?? "";
  if (!hosts.includes(hostnameOf(host)))
    return refusal(403, `Cannot serve the host ${JSON.stringify(host)}: start the server with --allowed-hosts`);
  const origin = request.headers.get("origin");
  if (origin === null || origin === `${scheme}://${host}` || origin === publicOrigin) return undefined;
  return refusal(403, `Cannot serve a page of the origin ${JSON.stringify(origin)}: only this server's own pages may`);
}

/** Returns the name without its port, in lower case; an empty text for what is no host. */
function hostnameOf(host: string): string {
  const [, name = ""] = HOST.exec(host.toLowerCase()) ?? [];
  return name;
}

const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
