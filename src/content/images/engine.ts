import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { createSemaphore } from "../../base/semaphore.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { withTimeout } from "../../base/timeout.ts";

/** The optional package that decodes and encodes images, in threads of its own. */
export type ImageEngine = (typeof import("sharp"))["default"];

/** Says how to get the engine. */
export const INSTALL_ENGINE = "npm install sharp";

let loading: Promise<ImageEngine | undefined> | undefined;

/** Loads the engine at its first use; undefined where it is not installed. Then the next use tries again. */
export async function imageEngine(): Promise<ImageEngine | undefined> {
  loading ??= import("sharp").then(withoutCache, () => undefined);
  const engine = await loading;
  if (!engine) loading = undefined;
  return engine;
}

/** Turns the cache off: an image is read once, and memory is not to grow with what was read. */
function withoutCache({ default: engine }: { readonly default: ImageEngine }): ImageEngine {
  engine.cache(false);
  return engine;
}

const slots = createSemaphore(LIMITS.imagesAtOnce);

/**
 * Runs work of the engine, a few at a time, each within a time limit. `what` names the image in faults. Work that
 * exceeds its time keeps its slot until it ends: the engine cannot be stopped, and has threads that files are read by.
 */
export async function decodingOf<T>(
  what: string,
  checkpoint: Checkpoint,
  work: (deadline: number) => Promise<T>,
): Promise<T> {
  const release = await slots.acquire(untilDeadline(checkpoint, Date.now() + LIMITS.imageMs, () => tooBusy(what)));
  const start = async (): Promise<T> => work(Date.now() + LIMITS.imageMs);
  const running = start().finally(release);
  try {
    return await withTimeout(
      LIMITS.imageMs,
      () => running,
      () => tooSlow(what),
    );
  } catch (error) {
    throw isFault(error) ? error : decodingFault(what, String(error));
  }
}

/** Adds a time limit to a checkpoint. */
const untilDeadline =
  (checkpoint: Checkpoint, deadline: number, lateFault: () => Fault): Checkpoint =>
  () => {
    if (Date.now() > deadline) throw lateFault();
    return checkpoint();
  };

/** Throws when the time of a decoding is over, before it begins with another attempt. */
export function stopIfLate(deadline: number, what: string): void {
  if (Date.now() > deadline) throw tooSlow(what);
}

const tooBusy = (what: string): Fault => new Fault("busy", `Cannot show ${what}: other images are being decoded`);

const tooSlow = (what: string): Fault =>
  new Fault("too_large", `Cannot show ${what}: decoding it takes longer than ${LIMITS.imageMs / 1000} s`);

/** Rewords errors of the engine: they are long, and name its own functions. */
function decodingFault(what: string, error: string): Fault {
  if (/pixel limit/i.test(error)) return tooManyPixels(what);
  if (/timeout/i.test(error)) return tooSlow(what);
  return new Fault("not_text", `Cannot show ${what}: it is damaged, or of a kind that cannot be decoded here`);
}

export const tooManyPixels = (what: string): Fault =>
  new Fault("too_large", `Cannot show ${what}: an image may have ${LIMITS.imagePixels / 1_000_000} megapixels`);
