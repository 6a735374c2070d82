import { LIMITS } from "../../base/limits.ts";
import { isWithin, nameIn, parentOf, relativePath } from "../../base/paths.ts";
import type { PipedProgram } from "../../base/program.ts";
import type { Config } from "../../config/schema.ts";
import type { SafePath } from "../../storage/storage.ts";
import { globsOf } from "../../text/glob/glob.ts";
import { createGlobSet } from "../../text/glob/glob-set.ts";
import type { ChangedPlace } from "./changed-files.ts";
import { createLanguageServer, type LanguageServer } from "./language-server.ts";

export type DiagnosticsConfig = NonNullable<NonNullable<Config["tools"]>["diagnostics"]>;

/** Starts a language server for a root, and calls `onOutput` for what it prints. */
export type StartLanguageServer = (
  command: readonly [string, ...string[]],
  root: string,
  onOutput: (bytes: Buffer) => void,
) => PipedProgram;

export interface PoolParts {
  /** Lists the real paths of the directories that servers can work on. */
  readonly roots: readonly string[];
  readonly start: StartLanguageServer;
  readonly warn: (message: string) => void;
}

/** Holds one server for each root and configured command that is in use: an LRU of `LIMITS.languageServers`. */
export interface ServerPool {
  /** Tests if a server is configured for a file. */
  covers(place: SafePath): boolean;
  /** Groups files by the servers that are responsible for them. */
  serversFor<File extends { readonly place: SafePath }>(files: readonly File[]): readonly ServerShare<File>[];
  /** Reports changes to all servers that run, except those that are checking them. */
  report(places: readonly ChangedPlace[], except: readonly LanguageServer[]): void;
  close(): void;
}

export interface ServerShare<File> {
  readonly name: string;
  readonly root: string;
  readonly server: LanguageServer;
  readonly files: readonly File[];
}

export function createServerPool(
  configured: DiagnosticsConfig["servers"],
  { roots, start, warn }: PoolParts,
): ServerPool {
  const known = configured.map(({ command, files }) => ({ command, matches: matcherOf(files) }));
  const running = new Map<string, { readonly root: string; readonly server: LanguageServer }>();
  const rootOf = (place: string): string | undefined =>
    roots.filter((root) => isWithin(place, root)).toSorted((a, b) => b.length - a.length)[0];
  const serverFor = (command: Command, root: string): LanguageServer => {
    const key = JSON.stringify([command, root]);
    const pooled = running.get(key) ?? { root, server: createServer(command, root) };
    running.delete(key);
    running.set(key, pooled);
    const [oldest] = running;
    if (running.size > LIMITS.languageServers && oldest) {
      running.delete(oldest[0]);
      oldest[1].server.stop();
    }
    return pooled.server;
  };
  const createServer = (command: Command, root: string): LanguageServer =>
    createLanguageServer({
      name: nameIn(command[0]),
      root,
      start: (onOutput) => start(command, root, onOutput),
      warn,
    });
  return {
    covers(place) {
      const root = rootOf(place);
      return root !== undefined && known.some(({ matches }) => matches(relativePath(root, place)));
    },
    serversFor: (files) =>
      known.flatMap(({ command, matches }) =>
        roots.flatMap((root) => {
          const own = files.filter(({ place }) => rootOf(place) === root && matches(relativePath(root, place)));
          return own.length === 0
            ? []
            : [{ name: nameIn(command[0]), root, server: serverFor(command, root), files: own }];
        }),
      ),
    report(places, except) {
      for (const { root, server } of running.values()) {
        const own = except.includes(server) ? [] : places.filter(({ place }) => isWithin(place, root));
        if (own.length > 0) server.report(own);
      }
    },
    close: () => running.forEach(({ server }) => server.stop()),
  };
}

type Command = DiagnosticsConfig["servers"][number]["command"];

function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const set = createGlobSet(patterns.flatMap((pattern) => globsOf(pattern, "tools.diagnostics")));
  return (path) => set.last(path.includes("/") ? parentOf(path) : "", nameIn(path), false) >= 0;
}
