import { createScreen, type Screen } from "../pty/screen.ts";
import type { ScreenSize } from "../pty/terminal.ts";
import type { JobRecord } from "./job-directory.ts";
import { logIn } from "./log.ts";

/** The screen of a job in a terminal, drawn from its log. */
export interface JobScreen {
  /** Returns undefined without a terminal, or without the package that draws it. */
  text(): Promise<string | undefined>;
  resize(size: ScreenSize): Promise<void>;
  /** Draws while the job runs, so that programs which ask the terminal something get their answer. */
  follow(answer: (bytes: Uint8Array) => Promise<void>, ended: Promise<unknown>): void;
}

export function createJobScreen(directory: string, { screenSize }: JobRecord): JobScreen {
  const log = logIn(directory);
  let size = screenSize;
  let cursor = 0;
  let answer: ((bytes: Uint8Array) => void) | undefined;
  let screen: Promise<Screen | undefined> | undefined;
  let drawing: Promise<unknown> = Promise.resolve();
  const open = (): Promise<Screen | undefined> =>
    (screen ??= size ? createScreen(size, (bytes) => answer?.(bytes)) : Promise.resolve(undefined));

  /** Draws what is new. Of a lot of output, only the last is drawn: a screen shows no more. */
  const drawNew = async (): Promise<void> => {
    const shown = await open();
    if (!shown) return;
    const end = log.size();
    cursor = Math.max(cursor, end - DRAWN_BYTES, cursor < log.holeEnd() ? log.holeEnd() : 0);
    const bytes = log.read(cursor, end - cursor);
    cursor += bytes.length;
    if (bytes.length > 0) await shown.feed(bytes);
  };
  // A job that is removed has no log to draw from.
  const draw = (): Promise<unknown> => (drawing = drawing.then(drawNew).catch(() => {}));

  return {
    async text() {
      await draw();
      return (await open())?.text();
    },
    async resize(wanted) {
      size = wanted;
      await draw();
      (await screen)?.resize(wanted);
    },
    follow(write, ended) {
      if (!size) return;
      answer = (bytes) => void write(bytes).catch(() => {});
      const timer = setInterval(() => void draw(), DRAW_MS).unref();
      void ended.then(() => clearInterval(timer));
    },
  };
}

const DRAWN_BYTES = 256 * 1024;
const DRAW_MS = 100;
