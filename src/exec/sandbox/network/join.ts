import { closeSync, openSync } from "node:fs";
import type { Server } from "node:net";
import { Fault } from "../../../base/errors.ts";
import { borrowListener } from "../../spawn.ts";
import type { Network } from "../sandbox.ts";
import { findSystemProgram, systemProgram } from "../system-programs.ts";
import { parseHostRule } from "./hosts.ts";
import { type SeenHost, serveProxy } from "./proxy.ts";

/** The words that bring a command into its network, and the variables that name its proxy. */
export interface JoinedNetwork {
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Makes networks for commands: one for each list of hosts, kept until it is closed. */
export interface Networks {
  join(network: Network): Promise<JoinedNetwork>;
  close(): Promise<void>;
}

export function createNetworks(onHost: (seen: SeenHost) => void = () => {}): Networks {
  const open = new Map<string, Promise<ProxiedNamespace>>();
  return {
    async join(network) {
      if (typeof network === "string") return { words: [], variables: {} };
      const key = JSON.stringify(network.hosts);
      const made = open.get(key) ?? createProxiedNamespace(network.hosts, onHost);
      open.set(key, made);
      made.catch(() => open.delete(key));
      return (await made).joined;
    },
    async close() {
      const namespaces = await Promise.allSettled(open.values());
      open.clear();
      for (const each of namespaces) if (each.status === "fulfilled") each.value.close();
    },
  };
}

interface ProxiedNamespace {
  readonly joined: JoinedNetwork;
  close(): void;
}

/**
 * Makes a network namespace that has nothing but its own loopback, on which our proxy listens. A helper opens the port
 * inside, hands the listener to us and ends; the namespace lives on through descriptors of ours.
 */
async function createProxiedNamespace(
  hosts: readonly string[],
  onHost: (seen: SeenHost) => void,
): Promise<ProxiedNamespace> {
  const rules = hosts.map(parseHostRule);
  const namespaces: number[] = [];
  const listener = await borrowListener(helperWords(), PORT, (pid) => {
    for (const name of isRoot() ? ["net"] : ["net", "user"]) namespaces.push(openSync(`/proc/${pid}/ns/${name}`, "r"));
  });
  serveProxy(listener, rules, onHost);
  listener.unref();
  return {
    joined: { words: enterWords(namespaces), variables: PROXY_VARIABLES },
    close: () => end(listener, namespaces),
  };
}

function end(listener: Server, namespaces: readonly number[]): void {
  listener.close();
  for (const descriptor of namespaces) closeSync(descriptor);
}

const isRoot = (): boolean => process.getuid?.() === 0;

const PORT = 3128;

/** Returns the words before the helper: they make the namespace and switch its loopback on. */
function helperWords(): readonly [string, ...string[]] {
  const ip = findSystemProgram("ip");
  const bwrap = findSystemProgram("bwrap");
  if (ip === undefined && bwrap === undefined)
    throw new Fault("io", "Cannot open the network for a list of hosts: neither bubblewrap nor ip is installed", {
      hint: "Ask the user to install bubblewrap or iproute2, or to run without a network",
    });
  if (ip === undefined && bwrap !== undefined) return [bwrap, "--dev-bind", "/", "/", "--unshare-net", "--"];
  const namespaces = isRoot() ? ["--net"] : ["--user", "--net", "--map-root-user"];
  return [systemProgram("unshare"), ...namespaces, systemProgram("sh"), "-c", LOOPBACK_UP, ip ?? ""];
}

const LOOPBACK_UP = '"$0" link set lo up && exec "$@"';

function enterWords([net, user]: readonly number[]): readonly string[] {
  const own = `/proc/${process.pid}/fd`;
  const users = user === undefined ? [] : [`--user=${own}/${user}`, "--preserve-credentials"];
  return [systemProgram("nsenter"), `--net=${own}/${net}`, ...users, "--"];
}

const PROXY = `http://127.0.0.1:${PORT}`;

/** Tells programs of the proxy: some read only one spelling. */
const PROXY_VARIABLES = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  NO_PROXY: "localhost,127.0.0.1,::1",
  http_proxy: PROXY,
  https_proxy: PROXY,
  all_proxy: PROXY,
  no_proxy: "localhost,127.0.0.1,::1",
};
