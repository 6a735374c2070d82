/** A line that ripgrep says matches. Nothing of it is believed before it was compared with the file. */
export interface Claim {
  readonly line: number;
  /** The byte in the line where the match starts, from 0. */
  readonly column: number;
  /** Where the line starts. */
  readonly byte: number;
  /** Where the line is in the piece of output, without its line feed. */
  readonly from: number;
  readonly to: number;
}

/** What one piece of output holds about one file. */
export interface Claims {
  /** From where the search began, with a leading "./"; bytes that are not UTF-8 make it a name that is nowhere. */
  readonly path: string;
  /** The piece, whose memory is reused: keep nothing of it. */
  readonly output: Buffer;
  readonly claims: readonly Claim[];
}

const [LF, NUL, DOT, COLON, ZERO] = [10, 0, 46, 58, 48];

/**
 * Cuts ripgrep's output into claims. It comes in records: "./path NUL", then "line:column:byte:text LF" for each
 * matching line. A path may hold any other byte; as it starts with "." it cannot be taken for a line.
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

/** Between two files there is an empty line, which may end in a carriage return. */
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

/** Names of files, each ended by NUL. */
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
