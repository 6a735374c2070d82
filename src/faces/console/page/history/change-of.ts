import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ChangeDetail } from "../../contract.ts";
import { get, wordsOf } from "../state/api.ts";
import { reports } from "../state/console-state.ts";

interface LoadedChange {
  readonly detail: ChangeDetail | undefined;
  readonly failure: string | undefined;
}

/** Returns a change with its diffs, once it is there; asks anew when the history has changed. */
export function useChange(id: string | undefined): LoadedChange {
  const loaded = useSignal<LoadedChange>({ detail: undefined, failure: undefined });
  const report = reports.value.changes;
  useEffect(() => {
    if (id === undefined) return undefined;
    let isWanted = true;
    get<ChangeDetail>(`/api/changes/${encodeURIComponent(id)}`).then(
      (detail) => isWanted && (loaded.value = { detail, failure: undefined }),
      (error: unknown) => isWanted && (loaded.value = { detail: undefined, failure: wordsOf(error) }),
    );
    return () => void (isWanted = false);
  }, [id, report, loaded]);
  const { detail, failure } = loaded.value;
  return { detail: detail?.id === id ? detail : undefined, failure };
}
