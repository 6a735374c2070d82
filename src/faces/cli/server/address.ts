import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { Fault } from "../../../base/errors.ts";
import { LOOPBACK_HOSTS, type ServerNames } from "../../http/host-check.ts";
import type { ListenOptions } from "../../http/listener.ts";
import type { ServerFlags } from "../server-flags.ts";

/** Says where the server listens. */
export interface Address extends ListenOptions {
  readonly names: ServerNames;
  /** Returns the address for clients, once the port is known. */
  urlAt(port: number): string;
}

/** Throws where others could read along: beyond this machine, TLS is required or has to be waived. */
export function addressOf(flags: ServerFlags): Address {
  const { host = "127.0.0.1", port, allowedHosts, publicUrl, withoutTls } = flags;
  const tls = tlsOf(flags);
  const scheme = tls ? "https" : "http";
  if (!isLoopback(host) && !tls && !withoutTls) throw openFault(`listen on ${host}`);
  if (publicUrl?.protocol === "http:" && !isLoopback(publicUrl.hostname) && !withoutTls)
    throw openFault(`use ${publicUrl.origin}`);
  const hosts = new Set([...LOOPBACK_HOSTS, inUrl(host), ...allowedHosts]);
  if (publicUrl) hosts.add(publicUrl.hostname);
  return {
    host,
    port,
    tls,
    names: { hosts: [...hosts], scheme, publicOrigin: publicUrl?.origin },
    urlAt: (actual) => publicUrl?.origin ?? `${scheme}://${inUrl(reachable(host))}:${actual}`,
  };
}

const openFault = (what: string): Fault =>
  new Fault(
    "invalid_input",
    `Cannot ${what} without TLS: everybody on the network could read along; ` +
      "give --tls-cert and --tls-key, or --without-tls to accept that",
  );

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

/** Returns an address to connect to, where the server listens on all of them. */
const reachable = (host: string): string => ({ "0.0.0.0": "127.0.0.1", "::": "::1" })[host] ?? host;

const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host.toLowerCase());

function tlsOf({ tlsCert, tlsKey }: ServerFlags): ListenOptions["tls"] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Fault("invalid_input", "Cannot serve TLS: give both --tls-cert and --tls-key");
  return { cert: fileAt("--tls-cert", tlsCert), key: fileAt("--tls-key", tlsKey) };
}

function fileAt(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Fault("invalid_input", `Cannot use ${flag} ${JSON.stringify(path)}: it cannot be read`, {}, error);
  }
}
