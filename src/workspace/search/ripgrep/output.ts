/** A line that matches according to ripgrep. It is not trusted before it was compared with the file. */
export interface Claim {
  readonly line: number;
  /** The byte offset of the match in the line, from 0. */
  readonly column: number;
  /** The byte offset of the line in the file. */
  readonly byte: number;
  /** Delimits the line in the chunk of output together with `to`, without its line feed. */
  readonly from: number;
  readonly to: number;
}

/** Holds the claims of one chunk of output about one file. */
export interface Claims {
  /** Is relative to the start, with a leading "./". A path that is not valid UTF-8 becomes one that does not exist. */
  readonly path: string;
  /** The chunk. Its memory is reused, so nothing may keep a part of it. */
  readonly output: Buffer;
  readonly claims: readonly Claim[];
}

const [LF, NUL, DOT, COLON, ZERO] = [10, 0, 46, 58, 48];

/**
 * Parses ripgrep's output into claims. The output has records: "./path NUL", then "line:column:byte:text LF" for each
 * matching line. A path may contain any byte but NUL; since it starts with ".", it cannot be mistaken for a line.
 */
export function createClaimReader() {
  let rest: Buffer = Buffer.alloc(0);
  let path = "";
  return function claimsIn(chunk: Buffer): readonly Claims[] {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const found: { path: string; output: Buffer; claims: Claim[] }[] = [];
    let at = 0;
    while (at < bytes.length) {
      const isPath = bytes[at] === DOT;
      const end = bytes.indexOf(isPath ? NUL : LF, at);
      if (end < 0) break;
      if (isPath) path = bytes.toString("utf8", at, end);
      else if (isDigit(bytes[at])) {
        const last = found.at(-1);
        const claims = last?.path === path ? last.claims : [];
        if (claims.length === 0) found.push({ path, output: bytes, claims });
        claims.push(claimIn(bytes, at, end));
      }
      at = end + 1;
    }
    rest = bytes.subarray(at);
    return found;
  };
}

/** Recognizes a record of a line. The empty line between two files, which may end in a carriage return, is none. */
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= ZERO + 9;

function claimIn(bytes: Buffer, from: number, to: number): Claim {
  let at = from;
  const number = (): number => {
    let value = 0;
    for (let byte = bytes[at++]; byte !== undefined && byte !== COLON; byte = bytes[at++])
      value = value * 10 + byte - ZERO;
    return value;
  };
  const line = number();
  const column = number() - 1;
  const byte = number();
  return { line, column, byte, from: at, to };
}

/** Parses a list of file names, each ended by NUL. */
export function createNameReader() {
  let rest: Buffer = Buffer.alloc(0);
  return function namesIn(chunk: Buffer): readonly Claims[] {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NUL) + 1;
    rest = bytes.subarray(end);
    const names = bytes.toString("utf8", 0, end).split("\0").slice(0, -1);
    return names.map((path) => ({ path, output: bytes, claims: [] }));
  };
}

/** Parses lines of the form "offset:text" into the offsets. */
export function createOffsetReader() {
  let rest: Buffer = Buffer.alloc(0);
  return function* offsetsIn(chunk: Buffer): Generator<number> {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, at)) {
      yield numberAt(bytes, at);
      at = end + 1;
    }
    rest = Buffer.from(bytes.subarray(at));
  };
}

function numberAt(bytes: Buffer, from: number): number {
  let value = 0;
  for (let at = from, byte = bytes[at]; isDigit(byte); byte = bytes[++at]) value = value * 10 + Number(byte) - ZERO;
  return value;
}
