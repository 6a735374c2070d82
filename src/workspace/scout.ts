import type { Breathe } from "../base/slices.ts";
import type { Desk } from "./scout-desk.ts";
import type { Errand, Found } from "./scouting.ts";

/** A second thread that reads directories before a walk comes to them. It starts when it is first asked for. */
export interface Scout {
  /** Whether there is anybody to send: not yet when this is first asked, and not any more when the thread died. */
  isReady(): boolean;
  /** What the errand starts from must stay open until `back` is called. Only while it is ready. */
  send(errand: Errand, back: () => void): Sent;
}

/** An errand that was sent. */
export interface Sent {
  readonly errand: Errand;
  /** Whether it had not begun: then it never will. */
  takeBack(): boolean;
  /** Nobody needs it any more. */
  callOff(): void;
  isBack(): boolean;
  /** Waits until it is back. Throws once the call is cancelled. */
  wait(breathe: Breathe): Promise<void>;
  /** What was read, once it is back; nothing of it when the thread died. */
  found(): Found;
}

/** The program is what the thread runs. When it dies it is not started again: walks go on without. */
export function createScout(program?: string): Scout {
  let desk: Desk | undefined;
  let mayStart = true;
  const start = async (): Promise<void> => {
    mayStart = false;
    const { openDesk } = await import("./scout-desk.ts");
    desk = await openDesk((isIdle) => {
      desk = undefined;
      mayStart = isIdle;
    }, program);
  };
  return {
    isReady() {
      // One that cannot even be started, for want of memory or of threads, is as good as dead.
      if (mayStart) start().catch(() => {});
      return desk !== undefined;
    },
    send: (errand, back) => (desk as Desk).send(errand, back),
  };
}
