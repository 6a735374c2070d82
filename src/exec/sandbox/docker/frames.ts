/** A piece of what a process wrote: engines put both outputs into one stream, in frames. */
export interface Piece {
  readonly from: "output" | "errors";
  readonly bytes: Buffer;
}

/** The header of a frame: one byte for the output, three unused ones, and the length as four bytes. */
const HEADER_BYTES = 8;
const ERRORS = 2;

/** Splits a stream of frames into pieces. A piece is passed on as it comes: no frame is collected. */
export async function* piecesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let header = Buffer.alloc(0);
  let left = 0;
  let from: Piece["from"] = "output";
  for await (let bytes of stream) {
    while (bytes.length > 0) {
      if (left === 0) {
        const missing = HEADER_BYTES - header.length;
        header = Buffer.concat([header, bytes.subarray(0, missing)]);
        bytes = bytes.subarray(missing);
        if (header.length < HEADER_BYTES) break;
        [from, left] = [header[0] === ERRORS ? "errors" : "output", header.readUInt32BE(4)];
        header = Buffer.alloc(0);
        continue;
      }
      yield { from, bytes: bytes.subarray(0, left) };
      const taken = Math.min(left, bytes.length);
      left -= taken;
      bytes = bytes.subarray(taken);
    }
  }
}
