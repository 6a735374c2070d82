import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FileDiff, NetChange } from "../../contract.ts";
import { get, wordsOf } from "../state/api.ts";
import { reports } from "../state/console-state.ts";

interface LoadedDiff {
  readonly diff: FileDiff | undefined;
  readonly failure: string | undefined;
}

/** Names the changes that are summed up: those of a session, or some by their ids. */
type Summed = { readonly session: string | undefined } | { readonly changes: string };

/** Returns what changes sum up to in one file, once it is there. */
export function useNetDiff(of: Summed, path: string | undefined): LoadedDiff {
  const loaded = useSignal<LoadedDiff>({ diff: undefined, failure: undefined });
  const [name, value] = "changes" in of ? ["changes", of.changes] : ["session", of.session];
  const report = reports.value.changes;
  useEffect(() => {
    if (path === undefined || value === undefined) return undefined;
    let isWanted = true;
    get<NetChange>("/api/net", { [name]: value, path }).then(
      ({ diff }) => isWanted && (loaded.value = { diff, failure: undefined }),
      (error: unknown) => isWanted && (loaded.value = { diff: undefined, failure: wordsOf(error) }),
    );
    return () => void (isWanted = false);
  }, [path, name, value, report, loaded]);
  return loaded.value;
}
