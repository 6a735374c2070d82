import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FileDiff, NetChange } from "../../contract.ts";
import { get, wordsOf } from "../state/api.ts";
import { fileSession, reports } from "../state/console-state.ts";

interface LoadedDiff {
  readonly diff: FileDiff | undefined;
  readonly failure: string | undefined;
}

/** Returns what the changes of the session sum up to in one file, once it is there. */
export function useNetDiff(path: string | undefined): LoadedDiff {
  const loaded = useSignal<LoadedDiff>({ diff: undefined, failure: undefined });
  const [session, report] = [fileSession.value, reports.value.changes];
  useEffect(() => {
    if (path === undefined || session === undefined) return undefined;
    let isWanted = true;
    get<NetChange>("/api/net", { session, path }).then(
      ({ diff }) => isWanted && (loaded.value = { diff, failure: undefined }),
      (error: unknown) => isWanted && (loaded.value = { diff: undefined, failure: wordsOf(error) }),
    );
    return () => void (isWanted = false);
  }, [path, session, report, loaded]);
  return loaded.value;
}
