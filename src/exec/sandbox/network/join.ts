import { closeSync, openSync, readlinkSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { borrowListener, spawnProgram } from "../../spawn.ts";
import type { Network } from "../sandbox.ts";
import { findSystemProgram, systemProgram } from "../system-programs.ts";
import { parseHostRule } from "./hosts.ts";
import { type SeenHost, serveProxy } from "./proxy.ts";

/** The words that bring a command into its network, and the variables that tell programs of it. */
export interface JoinedNetwork {
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Says that the command has to be given a network of its own, with nothing but its loopback. */
  readonly isOwn: boolean;
  /** Names the namespace, as the kernel does; absent where the command gets one of its own, or none. */
  readonly namespace?: string | undefined;
}

/** Makes networks for commands: one for each list of hosts and one without any, kept until they are closed. */
export interface Networks {
  join(network: Network): Promise<JoinedNetwork>;
  /** Lets all that join from now on share one loopback. Returns false where the machine cannot make it. */
  share(network: Network): Promise<boolean>;
  close(): Promise<void>;
}

export function createNetworks(onHost: (seen: SeenHost) => void = () => {}): Networks {
  const open = new Map<string, Promise<KeptNetwork>>();
  const keep = (network: Network): Promise<KeptNetwork> => {
    const key = JSON.stringify(network);
    const made = open.get(key) ?? createNetwork(network, onHost);
    open.set(key, made);
    made.catch(() => open.delete(key));
    return made;
  };
  return {
    async join(network) {
      if (network === "on") return { words: [], variables: {}, isOwn: false };
      const kept = network === "off" ? open.get(JSON.stringify(network))?.catch(() => undefined) : keep(network);
      return (await kept)?.joined ?? { words: [], variables: NO_RETRIES, isOwn: true };
    },
    async share(network) {
      if (network === "on") return false;
      return keep(network).then(
        () => true,
        // Whatever the reason is: a command that needs no server runs all the same.
        () => false,
      );
    },
    async close() {
      const networks = await Promise.allSettled(open.values());
      open.clear();
      for (const each of networks) if (each.status === "fulfilled") each.value.close();
    },
  };
}

interface KeptNetwork {
  readonly joined: JoinedNetwork;
  close(): void;
}

/** Makes a network that has nothing but its own loopback, on which our proxy listens where hosts are open. */
async function createNetwork(network: Network, onHost: (seen: SeenHost) => void): Promise<KeptNetwork> {
  const rules = typeof network === "string" ? undefined : network.hosts.map(parseHostRule);
  const namespaces = await openNamespaces();
  const close = (): void => namespaces.forEach((descriptor) => closeSync(descriptor));
  const words = enterWords(namespaces);
  const namespace = readlinkSync(`/proc/self/fd/${namespaces[0]}`);
  if (!rules) return { joined: { words, variables: NO_RETRIES, isOwn: false, namespace }, close };
  try {
    const listener = await borrowListener(words, PORT);
    serveProxy(listener, rules, onHost);
    listener.unref();
    return {
      joined: { words, variables: PROXY_VARIABLES, isOwn: false, namespace },
      close: () => (listener.close(), close()),
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Makes the namespaces by a helper, which ends once they are open here: they live on through descriptors of ours. */
async function openNamespaces(): Promise<readonly number[]> {
  const [file, ...words] = helperWords();
  const helper = spawnProgram({ file, args: [...words, systemProgram("sh"), "-c", REPORT_PID], directory: "/" });
  const timer = setTimeout(helper.kill, LIMITS.helperStartMs);
  try {
    for await (const pid of helper.output)
      return (isRoot() ? ["net"] : ["net", "user"]).map((name) => openSync(`/proc/${Number(pid)}/ns/${name}`, "r"));
  } finally {
    clearTimeout(timer);
    helper.kill();
  }
  const { stderr } = await helper.exited;
  throw new Fault("io", `Cannot open a network for commands: ${stderr.trim() || "its helper did not start"}`);
}

/** Ends by itself should we be killed meanwhile. */
const REPORT_PID = "echo $$; exec sleep 10";

const isRoot = (): boolean => process.getuid?.() === 0;

const PORT = 3128;

/** Returns the words before the helper: they make the namespace and switch its loopback on. */
function helperWords(): readonly [string, ...string[]] {
  const ip = findSystemProgram("ip");
  const bwrap = findSystemProgram("bwrap");
  if (ip === undefined && bwrap === undefined)
    throw new Fault("io", "Cannot open a network for commands: neither bubblewrap nor ip is installed", {
      hint: "Ask the user to install bubblewrap or iproute2, or to run without a network",
    });
  if (ip === undefined && bwrap !== undefined)
    return [bwrap, "--dev-bind", "/", "/", "--unshare-net", "--die-with-parent", "--"];
  const namespaces = isRoot() ? ["--net"] : ["--user", "--net", "--map-root-user"];
  return [systemProgram("unshare"), ...namespaces, systemProgram("sh"), "-c", LOOPBACK_UP, ip ?? ""];
}

const LOOPBACK_UP = '"$0" link set lo up && exec "$@"';

function enterWords([net, user]: readonly number[]): readonly [string, ...string[]] {
  const own = `/proc/${process.pid}/fd`;
  const users = user === undefined ? [] : [`--user=${own}/${user}`, "--preserve-credentials"];
  return [systemProgram("nsenter"), `--net=${own}/${net}`, ...users, "--"];
}

/** Keeps package managers from waiting a minute for a network that is off. */
const NO_RETRIES = { npm_config_fetch_retries: "0", PIP_RETRIES: "0", CARGO_NET_RETRY: "0" };

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
