import type { App } from "../../../app/app.ts";
import { mergeSettings, type MergedSettings } from "../../../app/merged-settings.ts";
import { openServerState, type ServerState } from "../../../app/server-state.ts";
import { LIMITS } from "../../../base/limits.ts";
import { createServerSecret, OWN_ACCOUNT } from "../../../runtime/server/tokens.ts";
import { listen } from "../../http/listener.ts";
import { createHttpServer, type HttpOptions, type HttpServer } from "../../http/server.ts";
import { limitOldHeap } from "../../mcp/engine.ts";
import { currentUser } from "../current-user.ts";
import type { CliSettings } from "../flags.ts";
import { interruption } from "../interruption.ts";
import { openPersonApp } from "../person-app.ts";
import { type Accounts, closeAll, openAccounts } from "../server/account-apps.ts";
import { type Address, addressOf } from "../server/address.ts";
import { LOG_ONLY, startInBackground } from "../server/background.ts";
import { createServerLog, type ServerLog } from "../server/log.ts";
import { readyJson, type ReadyServer, readyText } from "../server/ready-text.ts";
import { loginLinkOf, readyServer } from "../server/running-server.ts";
import { absoluteRoot, unitText } from "../server/unit.ts";
import { print, warn } from "../terminal.ts";

/** Runs `holdfast up [<dir>...]`: serves MCP and the console over HTTP until a signal arrives. */
export async function up(settings: CliSettings): Promise<number> {
  if (settings.server.unit) return printUnit(settings);
  const options = await mergeSettings(settings, settings.words, ".");
  const state = openServerState(options);
  const address = addressOf(settings.server);
  const other = await readyServer(state);
  if (other) return reportRunning(other.url);
  if (!settings.server.background) return serve(settings, options, state, address);
  const started = await startInBackground(state);
  await printReady(settings, options, state, { url: started.url, link: loginLinkOf(started) });
  return 0;
}

function printUnit(settings: CliSettings): number {
  print(unitText(settings));
  warn("Save this as ~/.config/systemd/user/holdfast.service, then run systemctl --user enable --now holdfast");
  return 0;
}

function reportRunning(url: string | undefined): number {
  const state = url === undefined ? "another one of yours is starting" : `one of yours runs at ${url} already`;
  warn(`Cannot start a server: ${state}; holdfast status says more, holdfast stop ends it`);
  return 1;
}

async function serve(
  settings: CliSettings,
  options: MergedSettings,
  state: ServerState,
  address: Address,
): Promise<number> {
  const isLogOnly = process.env[LOG_ONLY] !== undefined;
  const log = createServerLog(settings.json || isLogOnly);
  const key = createServerSecret();
  const other = await state.registry.claim({ key, startedMs: Date.now() });
  if (other) return reportRunning(other.url);
  const ending = interruption();
  const everything = lazily(() =>
    openPersonApp({ ...options, roots: [...options.roots, EVERYTHING] }, log.reports.warn),
  );
  try {
    const accounts = await openAccounts(settings, options, log.reports);
    const person = { everything: everything.get, within: openingWithin(settings, log), who: currentUser() };
    const { url, stop } = await start(address, { accounts, state, operatorKey: key, log, person });
    state.registry.announce(url);
    limitOldHeap();
    log.event("started", { url, roots: options.roots.map(absoluteRoot) });
    if (!isLogOnly) await printReady(settings, options, state, { url, link: loginLinkOf({ url, key }) });
    await aborted(ending.signal);
    log.event("stopping");
    await stop();
  } finally {
    ending.stop();
    await everything.close();
    await state.registry.release();
  }
  log.event("stopped");
  return 0;
}

const EVERYTHING = "/";

/** Opens the directories of a session for a person, with their own rules and the stores of their disks. */
const openingWithin =
  (settings: CliSettings, { reports }: ServerLog) =>
  async (directories: readonly string[]): Promise<App> => {
    const { sources } = settings;
    const merged = await mergeSettings({ ...settings, rootsWith: () => directories });
    return openPersonApp({ ...merged, sources }, reports.warn);
  };

interface StartParts {
  readonly accounts: Accounts;
  readonly state: ServerState;
  readonly operatorKey: string;
  readonly log: ServerLog;
  readonly person: HttpOptions["person"];
}

/** Listens first: the address of the server is known only then. Requests wait until it is. */
async function start(address: Address, { accounts, state, operatorKey, log, person }: StartParts) {
  let serverIsReady: ((server: HttpServer) => void) | undefined;
  const ready = new Promise<HttpServer>((resolve) => (serverIsReady = resolve));
  const listener = await listen(async (request) => (await ready).fetch(request), address).catch(async (error) => {
    await closeAll(accounts);
    throw error;
  });
  const url = address.urlAt(listener.port);
  const server = createHttpServer({
    accounts: accounts.all,
    oauth: accounts.oauth,
    tokens: state.tokens,
    names: address.names,
    publicUrl: url,
    person,
    operatorKey,
    log: log.request,
    warn: log.reports.warn,
  });
  for (const { name } of accounts.all) await state.tokens.of(name);
  serverIsReady?.(server);
  return { url, server, stop: () => stopServer(server, listener) };
}

/** Answers the calls that run, refuses new ones, and closes everything. */
async function stopServer(server: HttpServer, listener: { close(): Promise<void> }): Promise<void> {
  const timer = new AbortController();
  await Promise.race([
    server.drain(),
    aborted(AbortSignal.any([timer.signal, AbortSignal.timeout(LIMITS.httpClosingMs)])),
  ]);
  timer.abort();
  await server.close();
  await listener.close();
}

async function printReady(
  { json, server }: CliSettings,
  { roots }: MergedSettings,
  { tokens }: ServerState,
  ready: ReadyServer,
): Promise<void> {
  print(json ? readyJson(ready, await tokens.of(OWN_ACCOUNT)) : readyText(ready, roots.map(absoluteRoot)));
  if (server.qr && !json) print((await import("../server/qr-code.ts")).qrCodeOf(ready.link));
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Makes something at its first use, and closes it if it was made. */
function lazily(make: () => App): { get(): App; close(): Promise<void> } {
  let made: App | undefined;
  return { get: () => (made ??= make()), close: async () => made?.close() };
}
