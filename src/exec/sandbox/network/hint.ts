import type { Network } from "../sandbox.ts";
import { NETWORK_KEY } from "./proxy.ts";

/** Returns a hint where the output of a failed command looks as if it missed a network that is off or bounded. */
export function networkHint(network: Network, output: string): string | undefined {
  if (network === "on" || !MISSED.test(output)) return undefined;
  const state = network === "off" ? "The network is off for commands" : "Only listed hosts are open for commands";
  return `${state}: ask the user to add the host to ${NETWORK_KEY} if the command needs it`;
}

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
    "Network: .* is not open",
    "response 403 .*CONNECT|CONNECT tunnel failed",
  ].join("|"),
  "i",
);
