import type { Breathe } from "../base/slices.ts";
import type { Desk } from "./scout-desk.ts";
import type { Errand, Scouted } from "./scouting.ts";

/** A second thread that reads directories before a walk comes to them. It starts when it is first sent. */
export interface Scout {
  /** Whether there is anybody to send: not yet when this is first asked, and not any more when the thread died. */
  isReady(): boolean;
  /** What the errand starts from must stay open until `back` is called. Only while it is ready. */
  send(errand: Errand, back: () => void): Reading;
}

/** An errand that was sent. */
export interface Reading {
  /** Nobody needs it any more. Whether it had not begun. */
  callOff(): boolean;
  /** What was read, by the way to it; nothing of it when the thread died. Throws once the call is cancelled. */
  found(breathe: Breathe): Found | Promise<Found>;
  isBack(): boolean;
  /** Whether a directory was read by it. */
  has(way: string): boolean;
}

export type Found = ReadonlyMap<string, Scouted>;

/** The program is what the thread runs. When it dies it is not started again: walks go on without. */
export function createScout(program?: string): Scout {
  let desk: Desk | undefined;
  let mayStart = true;
  const start = async (): Promise<void> => {
    mayStart = false;
    const { openDesk } = await import("./scout-desk.ts");
    desk = openDesk((isIdle) => {
      desk = undefined;
      mayStart = isIdle;
    }, program);
  };
  return {
    isReady() {
      if (mayStart) void start();
      return desk !== undefined;
    },
    send: (errand, back) => (desk as Desk).send(errand, back),
  };
}
