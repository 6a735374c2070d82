import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, onTestFinished } from "vitest";
import { type App, createApp } from "../../src/app/app.ts";
import type { Options } from "../../src/app/options.ts";
import { call } from "../../src/runtime/pipeline/call.ts";
import type { Outcome } from "../../src/runtime/pipeline/outcome.ts";
import type { Request } from "../../src/runtime/pipeline/request.ts";
import { textOf } from "../../src/tools/tool.ts";

/** Path → text, bytes, a link to somewhere, or an empty directory. */
export type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string } | null>>;

/** Takes what is to be done once nobody needs a thing any more. */
export type AtEnd = (clean: () => unknown) => void;

/** Once the test that runs now is over. */
export const withTest: AtEnd = (clean) => onTestFinished(async () => void (await clean()));

/** A real workspace directory with these things in it, gone when the test ends. State lives beside it. */
export function scratch(tree: Tree = {}, atEnd: AtEnd = withTest): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "scratch-")));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, "root");
  mkdirSync(root);
  chmodSync(root, 0o755);
  for (const [name, what] of Object.entries(tree)) plant(join(root, name), what);
  return root;
}

function plant(path: string, what: Tree[string] | undefined): void {
  mkdirSync(what === null ? path : dirname(path), { recursive: true });
  if (typeof what === "string" || what instanceof Uint8Array) writeFileSync(path, what);
  else if (what) symlinkSync(what.link, path);
}

/** Shares a fixture between tests: creates it before the first of them, cleans it up after the last. */
export function together<T>(make: (atEnd: AtEnd) => T | Promise<T>): () => T {
  let made: T;
  beforeAll(async () => {
    const cleanups: (() => unknown)[] = [];
    made = await make((clean) => void cleanups.unshift(clean));
    return async () => {
      for (const clean of cleanups) await clean();
    };
  });
  return () => made;
}

/** Returns the state directory of a scratch workspace, which is outside of it. */
export const stateBeside = (root: string): string => join(dirname(root), "state");

/** The whole product on a scratch workspace, closed when the test ends. */
export function appOn(root: string, options: Partial<Options> = {}): App {
  const app = createApp({ roots: [root], stateDirectory: stateBeside(root), ...options });
  onTestFinished(() => app.close());
  return app;
}

/** Holds what a caller gets from one call. */
export interface CallResult extends Pick<Outcome, "isError" | "code" | "data"> {
  readonly text: string;
}

/** Makes calls the way every face does. */
export type Caller = (tool: string, input?: unknown, more?: Partial<Request>) => Promise<CallResult>;

export function callerOf({ session }: App): Caller {
  return async function caller(tool, input = {}, more = {}) {
    const outcome = await call(session, { tool, input, signal: new AbortController().signal, ...more });
    return { isError: outcome.isError, code: outcome.code, data: outcome.data, text: textOf(outcome.blocks) };
  };
}

/** Both at once, for tests that need nothing else. */
export const callerOn = (root: string, options: Partial<Options> = {}): Caller => callerOf(appOn(root, options));
