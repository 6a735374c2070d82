import { type App, createApp, surfaceAwaiting } from "../../app/app.ts";
import type { CommandOptions, Options } from "../../app/options.ts";
import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { writtenRulingOf, NO_RULING } from "../../runtime/audit/audit.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import { withBriefWait } from "./brief-wait.ts";

/**
 * Decides whether a client's roots select among the operator's directories or replace them. Without a mode they replace
 * them, as the reference server documents, but at least one of the operator's directories must be usable.
 */
export type RootsMode = "intersect" | "replace";

/** The app that a client is served. The client may offer roots of its own. */
export interface ServedApp {
  /** Serves a client that offers no roots. */
  readonly surface: Surface;
  /** Is set if `surface` refuses every call because there is no directory. */
  readonly noRootsFault?: Fault | undefined;
  /** Returns the surface for a client's roots. Is absent where a client's roots are ignored. */
  readonly surfaceFor?: (directories: readonly string[]) => Promise<Surface>;
  close(): Promise<void>;
}

/** Loads the options for a client's roots: each workspace may have rules of its own. */
export type OptionsFor = (directories: readonly string[]) => Promise<CommandOptions>;

/** Throws when the operator named directories that the client cannot replace, and none of them can be used. */
export function createServedApp(
  options: CommandOptions,
  mode: RootsMode | undefined,
  optionsFor: OptionsFor,
): ServedApp {
  const { dialect } = options;
  if (!dialect?.acceptsClientRoots) {
    const { surface, close } = createApp(options);
    return { surface: withBriefWait(surface), close };
  }
  const own = ownApp(options, mode);
  const noRootsFault = own ? undefined : noDirectoryFault();
  const surface = own?.surface ?? surfaceAwaiting(options, dialect, noDirectoryFault());
  const cache = createAppCache(optionsFor, options.warn, (app) => reportReplacedRoots(app, own, options));
  return {
    surface,
    noRootsFault,
    async surfaceFor(directories) {
      if (directories.length === 0) return surface;
      if (mode !== "intersect" || !own) return (await cache.anywhere(directories)) ?? surface;
      return cache.within(own, directories) ?? surfaceAwaiting(options, dialect, noCommonRootsFault());
    },
    async close() {
      await Promise.all([cache.close(), own?.close()]);
    },
  };
}

/**
 * Serves one of several clients of an app. Over HTTP, the roots of a client only select among the directories: it has
 * not started the server (decision 036).
 */
export function serveConversation(app: App, surface: Surface, options: Options): ServedApp {
  const { dialect } = options;
  if (!dialect?.acceptsClientRoots) return { surface, close: async () => {} };
  const cache = createAppCache(noOtherOptions, options.warn, () => {});
  return {
    surface,
    surfaceFor: async (directories) =>
      directories.length === 0
        ? surface
        : (cache.within(app, directories) ?? surfaceAwaiting(options, dialect, noCommonRootsFault())),
    close: cache.close,
  };
}

const noOtherOptions: OptionsFor = () => Promise.reject(noCommonRootsFault());

/** Reports that the client's roots replace the operator's: on standard error, and in the audit logs of both. */
function reportReplacedRoots(
  app: App,
  own: App | undefined,
  { roots: given, warn, onRootsReplaced }: CommandOptions,
): void {
  const named = given.map((root) => (typeof root === "string" ? root : `//${root.name}`));
  const roots = app.session.workspace.roots.map((root) => root.given);
  onRootsReplaced?.(roots.length);
  warn?.(`The client named its roots; ${listText(roots)} in place of ${listText(named)}`);
  const event = {
    tool: "client_roots",
    input: { roots, in_place_of: named },
    code: "ok",
    ...writtenRulingOf(NO_RULING, "ok"),
  };
  for (const each of own ? [own, app] : [app])
    each.session.audit.record({ time: Date.now(), session: each.session.facts.id, ...event, ms: 0 });
}

const listText = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ") || "none";

/** Opens the operator's directories. With `--roots replace` they need not exist, because the client replaces them. */
function ownApp(options: CommandOptions, mode: RootsMode | undefined): App | undefined {
  if (options.roots.length === 0) return undefined;
  try {
    return createApp(options);
  } catch (error) {
    if (mode !== "replace" || !isFault(error)) throw error;
    options.warn?.(error.message);
    return undefined;
  }
}

const noDirectoryFault = (): Fault =>
  new Fault(
    "root_gone",
    "Cannot serve without a directory: none was given on the command line, and the client offers no roots; " +
      "start the server with a directory, or use a client that offers some",
  );

const noCommonRootsFault = (): Fault =>
  new Fault(
    "denied",
    "no allowed directories: none of the roots of the client is inside the directories of the command line; " +
      "open a folder inside them, or start the server without --roots intersect",
  );

/** Caches apps by the client's roots, which each call may bring along: an LRU of `LIMITS.clientRootSets`. */
function createAppCache(optionsFor: OptionsFor, warn: Options["warn"], report: (app: App) => void) {
  const known = new Map<string, CachedApp>();
  const getOrCreate = (directories: readonly string[], make: () => CachedApp | undefined): Surface | undefined => {
    const key = JSON.stringify(directories);
    const cached = known.get(key) ?? make();
    if (!cached) return undefined;
    known.delete(key);
    known.set(key, cached);
    const [oldest] = known;
    if (oldest && known.size > LIMITS.clientRootSets) {
      known.delete(oldest[0]);
      void oldest[1].close();
    }
    return cached.surface;
  };
  const reported = (app: App): App => {
    report(app);
    return app;
  };
  return {
    /** Returns undefined if none of the directories is inside those of the app. */
    within: (app: App, directories: readonly string[]): Surface | undefined =>
      getOrCreate(directories, () => {
        const conversation = app.narrowed(directories);
        return conversation && { surface: conversation.surface, close: conversation.end };
      }),
    /** Returns undefined if none of the directories can be used. */
    async anywhere(directories: readonly string[]): Promise<Surface | undefined> {
      try {
        const options = known.has(JSON.stringify(directories)) ? undefined : await optionsFor(directories);
        return getOrCreate(directories, () => options && reported(createApp(options)));
      } catch (error) {
        if (!isFault(error)) throw error;
        const state = "none of them is a directory that can be used";
        warn?.(
          `Cannot use the roots of the client, ${listText(directories)}: ${state}; the directories stay as they were`,
        );
        return undefined;
      }
    },
    async close() {
      await Promise.all([...known.values()].map(({ close }) => close()));
    },
  };
}

interface CachedApp {
  readonly surface: Surface;
  readonly close: () => Promise<void>;
}
