import { openSync, writeFileSync } from "node:fs";
import { openNamelessFile } from "./nameless-file.ts";

/**
 * Opens a filter for the kernel (seccomp) that refuses calls to its key store: the keys of our session pass to every
 * child, whatever its namespaces are. Returns a descriptor that can be read once from its start; undefined on machines
 * whose calls are not known here.
 */
export function openSystemCallFilter(): number | undefined {
  const calls = CALLS[process.arch];
  if (calls === undefined) return undefined;
  stored ??= storeFilter(filterOf(calls));
  // Opening it again gives a position of its own.
  return openSync(`/proc/self/fd/${stored}`, "r");
}

let stored: number | undefined;

/** Numbers of add_key, request_key and keyctl, by the architecture that the kernel names for a call. */
interface ArchitectureCalls {
  readonly architecture: number;
  readonly numbers: readonly number[];
  /** From this number on calls are of another binary interface with the same name; none of them are allowed. */
  readonly numbersEnd?: number;
}

/** Programs of 32 bits run on the same machine, and have numbers of their own. */
const CALLS: Readonly<Record<string, readonly ArchitectureCalls[]>> = {
  x64: [
    { architecture: 0xc000003e, numbers: [248, 249, 250], numbersEnd: 0x40000000 },
    { architecture: 0x40000003, numbers: [286, 287, 288] },
  ],
  arm64: [
    { architecture: 0xc00000b7, numbers: [217, 218, 219] },
    { architecture: 0x40000028, numbers: [309, 310, 311] },
  ],
};

/** Builds the program: for each architecture it refuses the listed numbers and allows the rest; others are refused. */
function filterOf(calls: readonly ArchitectureCalls[]): Buffer {
  const blocks = calls.map(({ architecture, numbers, numbersEnd }) => {
    const body = [
      instruction(LOAD, 0),
      ...(numbersEnd === undefined
        ? []
        : [instruction(JUMP_IF_AT_LEAST, numbersEnd, 0, 1), instruction(RETURN, REFUSE)]),
      ...numbers.flatMap((number) => [instruction(JUMP_IF_EQUAL, number, 0, 1), instruction(RETURN, REFUSE)]),
      instruction(RETURN, ALLOW),
    ];
    return [instruction(LOAD, 4), instruction(JUMP_IF_EQUAL, architecture, 0, body.length), ...body];
  });
  return Buffer.concat([...blocks.flat(), instruction(RETURN, REFUSE)]);
}

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** Fails the call with EPERM. */
const REFUSE = 0x00050001;

/** Encodes one instruction: code, how far to jump where it is true and where it is false, and a value. */
function instruction(code: number, value: number, whenTrue = 0, whenFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(whenTrue, 2);
  bytes.writeUInt8(whenFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

/** Keeps the filter in a file without a name: descriptors of it last as long as this process. */
function storeFilter(filter: Buffer): number {
  const file = openNamelessFile();
  writeFileSync(file, filter);
  return file;
}
