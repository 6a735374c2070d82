import { damagedFault } from "./bounds.ts";

/** Holds what describes the next entry of a tar: each field overrides that of its header. */
export interface PaxRecords {
  readonly path?: Buffer;
  readonly linkPath?: Buffer;
  readonly size?: number;
  readonly modifiedMs?: number;
  readonly isSparse?: boolean;
}

/** Parses records of the form "<length> <key>=<value>\n", where the length counts the whole record. */
export function parsePax(bytes: Buffer): PaxRecords {
  let records: PaxRecords = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const text = space < 0 ? "" : bytes.toString("latin1", at, space);
    const length = /^\d{1,7}$/.test(text) ? Number(text) : 0;
    const end = at + length;
    if (length === 0 || end > bytes.length || end <= space || bytes[end - 1] !== 0x0a) throw damagedRecord();
    records = { ...records, ...recordOf(bytes.subarray(space + 1, end - 1)) };
    at = end;
  }
  return records;
}

const damagedRecord = () => damagedFault("a record that describes an entry is damaged");

function recordOf(record: Buffer): PaxRecords {
  const equals = record.indexOf(0x3d);
  if (equals < 0) throw damagedRecord();
  const key = record.toString("utf8", 0, equals);
  const value = Buffer.from(record.subarray(equals + 1));
  if (key.startsWith("GNU.sparse.")) return { isSparse: true };
  switch (key) {
    case "path":
      return { path: value };
    case "linkpath":
      return { linkPath: value };
    case "size":
      return { size: sizeIn(value.toString("latin1")) };
    case "mtime":
      return { modifiedMs: Math.trunc(Number(value.toString("latin1")) * 1000) || 0 };
    default:
      return {};
  }
}

function sizeIn(text: string): number {
  const size = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(size)) throw damagedRecord();
  return size;
}
