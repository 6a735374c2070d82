import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { errnoOf } from "../base/errno.ts";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { isInNamedStorage, isStorageUrl } from "../base/paths.ts";
import { checkedFile } from "./check.ts";
import type { Layer, RuleWithOrigin } from "./layer.ts";
import { type MergedConfig, merge, type ReadPlace } from "./merge.ts";
import type { ConfigPlace } from "./places.ts";
import type { Config } from "./schema.ts";
import type { AccountConfig } from "./server.ts";
import { requireTightening } from "./tightening.ts";

/** The configuration of all files, with the origin of every value. */
export interface LoadedConfig extends MergedConfig {
  /** The rules of the files, highest layer first. */
  readonly layers: readonly Layer[];
}

/** Throws for values that the schema allows but the engine cannot use. */
export type CheckFile = (config: Config, layer: Layer) => void;

/**
 * Reads the files that exist. Throws a fault with file and line when one is wrong. With a check, a wrong file of a
 * workspace becomes an unusable layer instead: a repository must not keep a server from starting.
 */
export function loadConfig(places: readonly ConfigPlace[], check?: CheckFile): LoadedConfig {
  const layers: Layer[] = [];
  const read = places.flatMap((place) => {
    const found = check && place.layer === "workspace" ? readPlaceOrUnusable(place, check) : readPlace(place);
    if (!found) return [];
    layers.push("place" in found ? layerOf(found) : found);
    return "place" in found ? [found] : [];
  });
  return { ...merge(read), layers };
}

function readPlaceOrUnusable(place: ConfigPlace, check: CheckFile): ReadPlace | Layer | undefined {
  try {
    const found = readPlace(place);
    if (found) check(found.config, layerOf(found));
    return found;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const [reason = ""] = error.message.split("\n");
    return { name: place.layer, rules: [], unusable: { reason, file: place.file } };
  }
}

function readPlace(place: ConfigPlace): ReadPlace | undefined {
  const text = textAt(place);
  if (text === undefined) return undefined;
  const file = checkedFile(place.file, text);
  if (place.layer === "workspace") requireTightening(file);
  return { ...file, place, config: withResolvedPaths(file.config, place.file) };
}

/** Reads a file. Follows no link in a workspace. Opens with O_NONBLOCK, so that a FIFO does not block. */
function textAt({ file, isNamed, layer }: ConfigPlace): string | undefined {
  const noFollow = layer === "workspace" ? constants.O_NOFOLLOW : 0;
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (MISSING.includes(code) && !isNamed) return undefined;
    throw unusableFileFault(
      file,
      MISSING.includes(code)
        ? "it does not exist; name another, or create it"
        : `it cannot be opened (${code}); make it readable, or name another`,
    );
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unusableFileFault(file, "it is not a regular file");
    if (stats.size > LIMITS.configBytes) throw unusableFileFault(file, `it is larger than ${LIMITS.configBytes} bytes`);
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

const MISSING = ["ENOENT", "ENOTDIR"];

const unusableFileFault = (file: string, state: string): Fault =>
  new Fault("invalid_input", `Cannot use the configuration ${JSON.stringify(file)}: ${state}`);

/** Resolves paths relative to the directory of the file. Patterns of rules are relative to the roots instead. */
function withResolvedPaths(config: Config, file: string): Config {
  const from = (path: string): string => resolve(dirname(file), expandHome(path));
  const fromRoot = (root: string): string => (isStorageUrl(root) ? root : from(root));
  const { roots, sources, plugins, stateDirectory, server } = config;
  return {
    ...config,
    ...(roots && { roots: roots.map(fromRoot) }),
    ...(sources && { sources: mapValues(sources, from) }),
    ...(plugins && { plugins: plugins.map(from) }),
    ...(stateDirectory !== undefined && { stateDirectory: from(stateDirectory) }),
    ...(server?.accounts && {
      server: {
        ...server,
        accounts: mapValues(server.accounts, (account) => resolvedAccount(account, from, fromRoot)),
      },
    }),
  };
}

const resolvedAccount = (
  account: AccountConfig,
  from: (path: string) => string,
  fromRoot: (root: string) => string,
): AccountConfig => ({
  ...account,
  ...(account.roots && { roots: account.roots.map(fromRoot) }),
  ...(account.config !== undefined && { config: from(account.config) }),
});

const mapValues = <Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

const expandHome = (path: string): string =>
  path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;

function layerOf({ place, config: { policy = {} }, originOf }: ReadPlace): Layer {
  const { template, rules = [] } = policy;
  return {
    name: place.layer,
    rules: rules.map((rule, nth) => withRealPaths({ ...rule, origin: originOf(["policy", "rules", nth]) })),
    ...(template && { template: { name: template, origin: originOf(["policy", "template"]) } }),
    ...(place.root !== undefined && { roots: [place.root] }),
  };
}

/** Resolves links in absolute patterns up to the first wildcard, because rules are matched with real paths. */
export function withRealPaths({ path, when, ...rule }: RuleWithOrigin): RuleWithOrigin {
  const prefix = when?.path_prefix;
  return {
    ...rule,
    ...(path !== undefined && { path: Array.isArray(path) ? path.map(realPattern) : realPattern(path) }),
    ...(when && { when: { ...when, ...(prefix !== undefined && { path_prefix: realPattern(prefix) }) } }),
  };
}

function realPattern(pattern: string): string {
  const whole = expandHome(pattern);
  if (!whole.startsWith("/") || isInNamedStorage(whole)) return whole;
  const wildcard = whole.search(/[*?[{\\]/);
  const literal = wildcard < 0 ? whole : whole.slice(0, whole.lastIndexOf("/", wildcard));
  return realPathOf(literal) + whole.slice(literal.length);
}

/** Resolves links in the part of a path that exists. The rest is kept. */
function realPathOf(path: string): string {
  if (path === "" || path === "/") return path;
  try {
    return realpathSync(path);
  } catch {
    return join(realPathOf(dirname(path)) || "/", path.slice(dirname(path).length));
  }
}
