import type { Duplex } from "node:stream";

/** Keeps this process alive while the stream is open. Sockets can, although the type of a stream does not say so. */
export const ref = (stream: Duplex & { ref?(): void }): void => stream.ref?.();

/** Lets this process end although the stream is open. */
export const unref = (stream: Duplex & { unref?(): void }): void => stream.unref?.();
