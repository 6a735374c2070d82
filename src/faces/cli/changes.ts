import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Ask } from "../../app/ask.ts";

/** One change in the output of the history tool. */
export interface ListedChange {
  readonly change_id: string;
  readonly time: string;
  readonly session: string;
  readonly tool: string;
  /** The command that made the change. */
  readonly command?: string;
  readonly files: readonly ListedFile[];
  readonly undoes?: readonly string[];
  /** Is true if a later change, which was not undone itself, has undone this one. */
  readonly undone?: boolean;
  /** Counts the files that it changed outside of the directories. */
  readonly elsewhere?: number;
  /** Is true if it was made in another directory, which had the same path. */
  readonly other_directory?: boolean;
}

export interface ListedFile {
  readonly path: string;
  readonly action: string;
  readonly from?: string;
  readonly added?: number;
  readonly removed?: number;
  readonly replaced_unseen?: boolean;
}

export interface ChangePage {
  readonly changes: readonly ListedChange[];
  readonly truncated: boolean;
  readonly cursor?: string;
}

async function* allChanges(ask: Ask, filter: Readonly<Record<string, unknown>>): AsyncGenerator<ListedChange> {
  let cursor: string | undefined;
  do {
    const page = await ask<ChangePage>("history", { ...filter, limit: LIMITS.historyEntriesMost, cursor });
    yield* page.changes;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** Completes the prefix of a session id. Throws when no session or several have it. */
export async function wholeSession(ask: Ask, start: string | undefined): Promise<string | undefined> {
  if (start === undefined || start.length === WHOLE_CHARS) return start;
  const found = new Set<string>();
  for await (const { session } of allChanges(ask, {}))
    if (start !== "" && session.startsWith(start)) found.add(session);
  const [session] = found;
  if (found.size === 1) return session;
  const state =
    found.size === 0
      ? "it has changed nothing here; holdfast history shows those that have"
      : `${found.size} sessions begin with it; give more characters`;
  throw new Fault("not_found", `Cannot find the session ${JSON.stringify(start)}: ${state}`);
}

const WHOLE_CHARS = 36;

/** Returns the first characters of a session id, which are enough to tell sessions apart. */
export const shortSession = (session: string): string => session.slice(0, 8);
