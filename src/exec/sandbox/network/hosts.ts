import { BlockList, isIP } from "node:net";
import { Fault } from "../../../base/errors.ts";

/** A host and a port that a command asks for: parsed once, and only this is used afterwards. */
export interface Target {
  /** A name in lower case, without a dot at its end, or an address. */
  readonly host: string;
  readonly port: number;
}

/** One entry of the list of allowed hosts. */
export interface HostRule {
  readonly host: string;
  /** Says that the entry stands for all names below the host, and not for itself. */
  readonly isWildcard: boolean;
  readonly ports: readonly number[];
}

/** Parses an entry such as "example.org", "*.example.org" or "example.org:8443"; without a port it opens 80 and 443. */
export function parseHostRule(entry: string): HostRule {
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  const isWildcard = host.startsWith("*.");
  const parsed = parseHost(isWildcard ? host.slice(2) : host);
  const ports = port === undefined ? [80, 443] : [Number(port)];
  if (parsed === undefined || !ports.every(isPort) || (isWildcard && isIP(parsed) !== 0))
    throw new Fault("invalid_input", `Cannot allow the host ${JSON.stringify(entry)}: it is no name or address`);
  return { host: parsed, isWildcard, ports };
}

/** Parses "host:port" as a client of a proxy writes it; returns undefined for anything else. */
export function parseTarget(text: string): Target | undefined {
  const [, host = "", port = ""] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  const parsed = parseHost(host);
  return parsed === undefined || !isPort(Number(port)) ? undefined : { host: parsed, port: Number(port) };
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;

/** Accepts names of ASCII labels and plain addresses. A last label that is a number would be read as an address. */
function parseHost(text: string): string | undefined {
  const address = text.startsWith("[") ? text.slice(1, -1) : text;
  if (isIP(address) !== 0) return (isIP(address) === 6) === text.startsWith("[") ? address.toLowerCase() : undefined;
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  const isName = name.length <= 253 && labels.every((label) => LABEL.test(label)) && /^[a-z]/.test(labels.at(-1) ?? "");
  return isName ? name : undefined;
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Tells whether the list opens a target. An address is open only where the list has just that address. */
export function isAllowed({ host, port }: Target, rules: readonly HostRule[]): boolean {
  return rules.some(({ host: listed, isWildcard, ports }) => {
    const matches = isWildcard ? host.endsWith(`.${listed}`) && isIP(host) === 0 : host === listed;
    return matches && ports.includes(port);
  });
}

/** Tells whether an address that a name resolved to is of this machine or its surroundings, and not in the list. */
export function isInternal(address: string, rules: readonly HostRule[]): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  const isListed = rules.some(({ host, isWildcard }) => !isWildcard && host === address);
  return !isListed && (family === 6 ? INTERNAL_V6.check(address, "ipv6") : INTERNAL_V4.check(address, "ipv4"));
}

/**
 * Addresses that are not of the public internet: this machine, private and link-local networks, translations to them.
 * One list for both families would take every IPv4 address for the IPv6 address that stands for it.
 */
const INTERNAL_V4 = new BlockList();
const INTERNAL_V6 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  INTERNAL_V4.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const)
  INTERNAL_V6.addSubnet(network, prefix, "ipv6");
