import { resolve } from "node:path";
import { LIMITS } from "../../base/limits.ts";
import { unusableValueFault } from "./value-with-origin.ts";

/** Lists the flags of the server and of clients that connect to it. Is part of FLAGS. */
export const SERVER_FLAGS = {
  port: {
    type: "string",
    value: "<port>",
    only: ["up"],
    help: `Listen on this port (default ${LIMITS.httpPort}); 0 takes a free one`,
  },
  host: { type: "string", value: "<host>", only: ["up"], help: "Listen on this address (default 127.0.0.1)" },
  "allowed-hosts": {
    type: "string",
    value: "<names>",
    only: ["up"],
    help: "Also serve requests for these host names, separated by commas",
  },
  "public-url": {
    type: "string",
    value: "<url>",
    only: ["up"],
    help: "Name the address by which clients reach the server, where a proxy or tunnel leads to it",
  },
  "tls-cert": { type: "string", value: "<file>", only: ["up"], help: "Serve TLS with this certificate (PEM)" },
  "tls-key": { type: "string", value: "<file>", only: ["up"], help: "Serve TLS with this private key (PEM)" },
  "without-tls": {
    type: "boolean",
    only: ["up"],
    help: "Listen beyond this machine without TLS: everybody on the network can read along",
  },
  background: { type: "boolean", only: ["up"], help: "Start the server and return once it is ready" },
  qr: { type: "boolean", only: ["up", "status"], help: "Also draw the login link as a QR code, for a phone" },
  unit: { type: "boolean", only: ["up"], help: "Print a unit for systemctl --user instead" },
  connect: {
    type: "string",
    value: "<url>",
    only: ["mcp"],
    help: "Connect standard input and output to this server; takes the token from HOLDFAST_TOKEN or the state",
  },
} as const;

/** Holds the checked values of these flags. */
export interface ServerFlags {
  readonly port: number;
  readonly host: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly publicUrl: URL | undefined;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly withoutTls: boolean;
  readonly background: boolean;
  readonly qr: boolean;
  readonly unit: boolean;
  readonly connect: URL | undefined;
}

type Values = { readonly [Name in keyof typeof SERVER_FLAGS]?: string | boolean | undefined };

export const serverFlagsOf = (values: Values): ServerFlags => ({
  port: portOf(textOf(values.port)),
  host: textOf(values.host),
  allowedHosts: (textOf(values["allowed-hosts"]) ?? "").split(",").map(trimmed).filter(Boolean),
  publicUrl: originOf(textOf(values["public-url"])),
  tlsCert: textOf(values["tls-cert"]),
  tlsKey: textOf(values["tls-key"]),
  withoutTls: values["without-tls"] === true,
  background: values.background === true,
  qr: values.qr === true,
  unit: values.unit === true,
  connect: urlOf("--connect", textOf(values.connect), `http://127.0.0.1:${LIMITS.httpPort}/mcp`),
});

/** Returns the words that give a server the same flags, from anywhere. */
export const serverWordsOf = (flags: ServerFlags): readonly string[] => [
  `--port=${flags.port}`,
  ...(flags.host === undefined ? [] : [`--host=${flags.host}`]),
  ...(flags.allowedHosts.length === 0 ? [] : [`--allowed-hosts=${flags.allowedHosts.join(",")}`]),
  ...(flags.publicUrl ? [`--public-url=${flags.publicUrl.origin}`] : []),
  ...(flags.tlsCert === undefined ? [] : [`--tls-cert=${resolve(flags.tlsCert)}`]),
  ...(flags.tlsKey === undefined ? [] : [`--tls-key=${resolve(flags.tlsKey)}`]),
  ...(flags.withoutTls ? ["--without-tls"] : []),
];

const textOf = (value: string | boolean | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

const trimmed = (name: string): string => name.trim().toLowerCase();

function portOf(value: string | undefined): number {
  if (value === undefined) return LIMITS.httpPort;
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw unusableValueFault({ origin: "--port", value }, "give a port from 0 to 65535");
}

/** The server answers at the paths that it has, so that an address with a path would lead nowhere. */
function originOf(value: string | undefined): URL | undefined {
  const url = urlOf("--public-url", value, "https://files.example.org");
  if (!url || url.href === `${url.origin}/`) return url;
  throw unusableValueFault({ origin: "--public-url", value: String(value) }, `give it without a path: ${url.origin}`);
}

function urlOf(origin: string, value: string | undefined, example: string): URL | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw unusableValueFault({ origin, value }, `give an address such as ${example}`);
}
