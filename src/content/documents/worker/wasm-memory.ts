/** The class of memories that libraries in WebAssembly run in; the types of Node do not have it. */
interface MemoryClass {
  readonly prototype: { grow: (this: { readonly buffer: ArrayBuffer }, pages: number) => number };
}

const PAGE_BYTES = 64 * 1024;

/**
 * Caps the memory of WebAssembly in this thread, which the heap limit of a worker does not count. A library that asks
 * for more fails as if the machine had no more. Returns what says whether one did.
 */
export function capWasmMemory(mostBytes: number): { readonly wasReached: () => boolean } {
  const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: MemoryClass } }).WebAssembly.Memory;
  const { grow } = prototype;
  let reached = false;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > mostBytes) {
      reached = true;
      throw new RangeError("The memory of WebAssembly is limited");
    }
    return grow.call(this, pages);
  };
  return { wasReached: () => reached };
}
