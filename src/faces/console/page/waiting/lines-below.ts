import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

const LINE = 20;

/** Counts the lines that are below the visible part of a scroller. */
export function useLinesBelow(scroller: RefObject<HTMLElement | null>, key: string): number {
  const lines = useSignal(0);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void => {
      const below = element.scrollHeight - element.scrollTop - element.clientHeight;
      lines.value = below < 2 * LINE ? 0 : Math.floor(below / LINE);
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    element.addEventListener("scroll", measure);
    measure();
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller, key, lines]);
  return lines.value;
}
