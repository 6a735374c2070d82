import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { JobEntry, JobOutput } from "../../contract.ts";
import { get, wordsOf } from "../state/api.ts";

/** Asks for more output this often while a job runs. */
const POLL_MS = 1000;
/** Keeps so many characters: an endless log must not fill the browser. */
const MOST_CHARS = 400_000;

interface LoadedOutput {
  readonly text: string;
  readonly isCut: boolean;
  readonly failure: string | undefined;
}

/** Returns what a job has printed, and goes on asking until it has ended. */
export function useOutput({ id }: JobEntry): LoadedOutput {
  const loaded = useSignal<LoadedOutput>({ text: "", isCut: false, failure: undefined });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const ask = async (from: number): Promise<void> => {
      try {
        const more = await get<JobOutput>(`/api/jobs/${encodeURIComponent(id)}/output`, { from: String(from) });
        if (!isWanted) return;
        loaded.value = appended(loaded.peek(), more.text);
        if (more.running || more.cursor > from)
          timer = setTimeout(() => void ask(more.cursor), more.running ? POLL_MS : 0);
      } catch (error) {
        // Every failure is shown above the output that is there, until the server answers again.
        if (!isWanted) return;
        loaded.value = { ...loaded.peek(), failure: wordsOf(error) };
        timer = setTimeout(() => void ask(from), POLL_MS);
      }
    };
    void ask(0);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [id, loaded]);
  return loaded.value;
}

function appended({ text, isCut }: LoadedOutput, more: string): LoadedOutput {
  const all = text + more;
  return { text: all.slice(-MOST_CHARS), isCut: isCut || all.length > MOST_CHARS, failure: undefined };
}
