/** Describes an entry of a tar that is made byte by byte. */
export interface TarPart {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  readonly link?: string;
  readonly mode?: number;
  /** Declares another size than the true one. */
  readonly size?: number;
  readonly prefix?: string;
  /** Damages the checksum. */
  readonly isDamaged?: boolean;
}

/** Makes a tar of these parts, with two empty blocks at its end. */
export const makeTar = (parts: readonly TarPart[]): Buffer =>
  Buffer.concat([...parts.flatMap(entryOf), Buffer.alloc(1024)]);

function entryOf({ name, content = "", type = "0", link = "", mode = 0o644, size, prefix = "", isDamaged }: TarPart) {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(512);
  head.write(name, 0, 100);
  head.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
  head.write(`${(size ?? bytes.length).toString(8).padStart(11, "0")}\0`, 124);
  head.write(`${(1_700_000_000).toString(8).padStart(11, "0")}\0`, 136);
  head.write("        ", 148);
  head.write(type, 156);
  head.write(link, 157, 100);
  head.write("ustar\x0000", 257);
  head.write(prefix, 345, 155);
  const sum = head.reduce((total, byte) => total + byte, isDamaged ? 1 : 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}

/** Makes the records that describe the next entry. */
export function paxPart(records: Readonly<Record<string, string>>): TarPart {
  const content = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    const digits = String(Buffer.byteLength(rest) + 2).length;
    return `${Buffer.byteLength(rest) + digits}${rest}`;
  });
  return { name: "PaxHeader", type: "x", content: content.join("") };
}
