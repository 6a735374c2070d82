import { NETWORK_KEY } from "./proxy.ts";

/** Returns a hint where the output of a failed command looks as if it missed a network that is off or bounded. */
export function networkHint(network: string, output: string): string | undefined {
  if (!MISSED.test(output)) return undefined;
  const state = network === "off" ? "the network is off for commands" : "only listed hosts are open for commands";
  const local = REFUSED.test(output) ? LOCAL_HINT : "";
  return `${state}: ask the user to add the host to ${NETWORK_KEY} if the command needs it${local}`;
}

/** Tells who reaches a server that a command starts. */
export const serverHint = (isDetached: boolean): string =>
  `a server started here is reached on localhost by commands of this session only${isDetached ? ", not of later ones" : ""}; ` +
  `a user can open the network with ${NETWORK_KEY}`;

const LOCAL_HINT = "; on localhost there are only servers that this session has started with background: true";

/** Matches what programs print where nothing listens; curl has words of its own. */
const REFUSED = /connection refused|ECONNREFUSED|couldn't connect to server/i;

/** Matches what programs print when they cannot resolve or reach a host. */
const MISSED = new RegExp(
  [
    "could(?: not|n't) resolve",
    "unable to resolve host",
    "name resolution",
    "name or service not known",
    "getaddrinfo",
    "EAI_AGAIN",
    "ENOTFOUND",
    "ENETUNREACH",
    "network is unreachable",
    "no route to host",
    REFUSED.source,
    "Network: .* is not open",
    "response 403 .*CONNECT|CONNECT tunnel failed",
  ].join("|"),
  "i",
);
