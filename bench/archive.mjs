// Makes the zip of 100,000 entries whose listing is measured, and has that workload.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneByOne } from "./measure.mjs";

const ENTRIES = 100_000;
const PER_DIRECTORY = 1000;

/** Returns the path of the zip. Makes it if it does not exist. */
export function openArchive(root) {
  const archive = join(root, "many.zip");
  if (!existsSync(archive)) writeFileSync(archive, zipOf(namesOf(ENTRIES)));
  return { archive };
}

const namesOf = (count) =>
  Array.from({ length: count }, (_, nth) => `directory-${Math.floor(nth / PER_DIRECTORY)}/file-${nth}.txt`);

/** Writes a zip of empty files, with the 64-bit end record that so many need. */
function zipOf(names) {
  const locals = [];
  const records = [];
  let offset = 0;
  for (const name of names) {
    const bytes = Buffer.from(name);
    const local = Buffer.concat([Buffer.alloc(30), bytes]);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(bytes.length, 26);
    const record = Buffer.concat([Buffer.alloc(46), bytes]);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(bytes.length, 28);
    record.writeUInt32LE(offset, 42);
    locals.push(local);
    records.push(record);
    offset += local.length;
  }
  const directory = Buffer.concat(records);
  return Buffer.concat([...locals, directory, endOf(names.length, directory.length, offset)]);
}

function endOf(count, size, offset) {
  const end = Buffer.alloc(98);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(count), at);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + size), 64);
  end.writeUInt32LE(1, 72);
  end.writeUInt32LE(0x06054b50, 76);
  end.fill(0xff, 84, 96);
  return end;
}

export const ARCHIVE = {
  id: "archive",
  title: "first listing of a zip of 100,000 entries",
  operation: "archive",
  asks: ({ archive }) => ({ path: `${archive}!/` }),
  isRight: ({ texts }) => texts.join("\n").split("directory-").length === ENTRIES / PER_DIRECTORY + 1,
  measure: oneByOne,
  fresh: true,
  warmUp: 0,
  repetitions: 1,
  rounds: 5,
  growth: 64,
  bounds: [{ most: 2, milliseconds: 1000 }],
};
