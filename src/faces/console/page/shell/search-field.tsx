import { useRef } from "preact/hooks";
import { Icon } from "../atoms/icon.tsx";
import { Key } from "../atoms/key.tsx";
import { useActions } from "../keys/actions.ts";
import { search } from "../state/console-state.ts";
import { open, route } from "../state/route.ts";

/** Waits for a pause in typing before it asks the server. */
const PAUSE_MS = 200;

/** Searches the timeline and the history. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useActions("shell", { search: () => field.current?.focus() });
  const find = (words: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      search.value = words.trim();
      if (words !== "" && !["timeline", "history"].includes(route.peek().screen)) open({ screen: "timeline" });
    }, PAUSE_MS);
  };
  return (
    <label class="find">
      <Icon name="search" />
      <span class="sr">Search</span>
      <input ref={field} type="search" placeholder="Search" onInput={(event) => find(event.currentTarget.value)} />
      <Key>/</Key>
    </label>
  );
}
