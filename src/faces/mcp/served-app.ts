import { type App, createApp, surfaceAwaiting } from "../../app/app.ts";
import type { CommandOptions, Options } from "../../app/options.ts";
import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { writtenRulingOf, NO_RULING } from "../../runtime/audit/audit.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import { withBriefWait } from "./brief-wait.ts";

/**
 * What directories of a client mean: a choice among those of the operator, or others in their place. Where nobody says,
 * they take their place, as the document of the server has it, but those of the operator must be usable.
 */
export type RootsMode = "intersect" | "replace";

/** What is served to a client, which may offer directories of its own. */
export interface ServedApp {
  /** For a client that offers none. */
  readonly surface: Surface;
  /** Why that one refuses every call: there is no directory yet. */
  readonly noRootsFault?: Fault | undefined;
  /** For a client that offers these. Absent where its directories do not count. */
  readonly surfaceFor?: (directories: readonly string[]) => Promise<Surface>;
  close(): void;
}

/** What holds in other directories than those of the operator: a workspace has rules of its own. */
export type OptionsFor = (directories: readonly string[]) => Promise<CommandOptions>;

/** Throws when the operator named directories, they count, and none of them can be used. */
export function createServedApp(
  options: CommandOptions,
  mode: RootsMode | undefined,
  optionsFor: OptionsFor,
): ServedApp {
  const { dialect } = options;
  if (!dialect?.takesClientRoots) {
    const { surface, close } = createApp(options);
    return { surface: withBriefWait(surface), close };
  }
  const own = ownApp(options, mode);
  const lacking = own ? undefined : noDirectoryFault();
  const surface = own?.surface ?? surfaceAwaiting(options, dialect, noDirectoryFault());
  const guests = createAppCache(optionsFor, options.warn, (app) => reportReplacedRoots(app, own, options));
  return {
    surface,
    noRootsFault: lacking,
    async surfaceFor(directories) {
      if (directories.length === 0) return surface;
      if (mode !== "intersect" || !own) return (await guests.anywhere(directories)) ?? surface;
      return guests.within(own, directories) ?? surfaceAwaiting(options, dialect, noCommonRootsFault());
    },
    close() {
      guests.close();
      own?.close();
    },
  };
}

/** Tells the operator whose directories are used in place of his own: on standard error, and in the audit log of both. */
function reportReplacedRoots(app: App, own: App | undefined, { roots: named, warn, replaced }: CommandOptions): void {
  const roots = app.session.workspace.roots.map(({ given }) => given);
  replaced?.(roots.length);
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

/** Directories that the client replaces anyway, because the operator said so, need not be there. */
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

/** What was made for directories of a client. The ones asked for last are remembered: each call may bring them anew. */
function createAppCache(optionsFor: OptionsFor, warn: Options["warn"], tell: (app: App) => void) {
  const known = new Map<string, CachedApp>();
  const remember = (directories: readonly string[], make: () => CachedApp | undefined): Surface | undefined => {
    const key = JSON.stringify(directories);
    const guest = known.get(key) ?? make();
    if (!guest) return undefined;
    known.delete(key);
    known.set(key, guest);
    const [oldest] = known;
    if (oldest && known.size > LIMITS.clientRootSets) {
      known.delete(oldest[0]);
      oldest[1].close?.();
    }
    return guest.surface;
  };
  const told = (app: App): App => {
    tell(app);
    return app;
  };
  return {
    /** Undefined when nothing of these directories is among those of the app. */
    within: (app: App, directories: readonly string[]): Surface | undefined =>
      remember(directories, () => {
        const surface = app.narrowed(directories);
        return surface && { surface };
      }),
    /** Undefined when none of them can be used. */
    async anywhere(directories: readonly string[]): Promise<Surface | undefined> {
      try {
        const options = known.has(JSON.stringify(directories)) ? undefined : await optionsFor(directories);
        return remember(directories, () => options && told(createApp(options)));
      } catch (error) {
        if (!isFault(error)) throw error;
        const state = "none of them is a directory that can be used";
        warn?.(
          `Cannot use the roots of the client, ${listText(directories)}: ${state}; the directories stay as they were`,
        );
        return undefined;
      }
    },
    close() {
      for (const { close } of known.values()) close?.();
    },
  };
}

interface CachedApp {
  readonly surface: Surface;
  readonly close?: () => void;
}
