import { setTimeout as pause } from "node:timers/promises";
import { LIMITS } from "../../base/limits.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";

/**
 * Wraps a surface for clients that list tools. The first list waits briefly for the MCP servers of plugins, later ones
 * do not wait: a client that gets no list shows no tools at all. Tools that arrive later are announced.
 */
export function withBriefWait(surface: Surface): Surface {
  const { ready, onToolsChanged } = surface;
  if (!ready) return surface;
  const listeners: (() => void)[] = [];
  let waitMs: number = LIMITS.lazyToolsMs;
  const names = (): string => surface.tools.map(({ name }) => name).join();
  return {
    ...surface,
    get tools() {
      return surface.tools;
    },
    async ready() {
      const arrived = ready().then(() => true);
      const isComplete = await Promise.race([arrived, pause(waitMs, false, { ref: false })]);
      waitMs = 0;
      if (isComplete) return;
      const listed = names();
      void arrived.then(() => names() !== listed && listeners.forEach((notify) => notify()));
    },
    onToolsChanged(notify) {
      listeners.push(notify);
      onToolsChanged?.(notify);
    },
  };
}
