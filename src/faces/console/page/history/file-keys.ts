import { useRef } from "preact/hooks";
import { useActions } from "../keys/actions.ts";

/** Goes from diff to diff with the keys for the next and the previous file. */
export function useFileKeys(paths: readonly string[]): void {
  const at = useRef(-1);
  const go = (step: number): void => {
    at.current = Math.min(paths.length - 1, Math.max(0, at.current + step));
    const path = paths[at.current];
    if (path === undefined) return;
    document.querySelector(`[data-file="${CSS.escape(path)}"]`)?.scrollIntoView({ block: "start" });
  };
  useActions("screen", paths.length > 1 ? { nextFile: () => go(1), previousFile: () => go(-1) } : {});
}
