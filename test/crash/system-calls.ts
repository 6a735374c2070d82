import fs from "node:fs";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { kernel } from "../../src/storage/local/jail/kernel.ts";

/** Says how one system call is interrupted: "torn" is a write that got half-way. */
export type How = "before" | "torn";

/** Is called before every call that changes something on a disk; may throw instead of letting it happen. */
export type Hook = (call: SystemCall) => void;

export interface SystemCall {
  /** Counts from 1. */
  readonly nth: number;
  readonly name: string;
  /** Does half of it, where that is possible. */
  tear?: (() => void) | undefined;
}

type Any = (...args: never[]) => unknown;

/** Lists every function that the product changes a disk with. Between two of these calls a disk does not change. */
const CHANGING = [
  "openSync",
  "write",
  "writeSync",
  "writeFileSync",
  "linkSync",
  "symlinkSync",
  "unlinkSync",
  "renameSync",
  "mkdirSync",
  "rmdirSync",
  "chmodSync",
  "fchmodSync",
  "fchownSync",
  "ftruncateSync",
  "copyFileSync",
  "futimesSync",
  "lutimesSync",
] as const;

/** Calls a hook before every such call of this process, until the returned function is called. */
export function hookSystem(hook: Hook): () => void {
  let nth = 0;
  let isInside = false;
  const calls = kernel() as unknown as Record<string, Any> | null;
  const places = [
    ...(calls ? ["renameNew", "exchange"].map((name) => ({ holder: calls, name })) : []),
    ...CHANGING.map((name) => ({ holder: fs as unknown as Record<string, Any>, name: name as string })),
    { holder: fsPromises as unknown as Record<string, Any>, name: "copyFile" },
  ];
  const originals = places.map(({ holder, name }) => holder[name] as Any);
  places.forEach(({ holder, name }, index) => {
    const original = originals[index] as Any;
    holder[name] = (...args: never[]) => {
      // Some of these call others.
      if (isInside || !isChanging(name, args)) return original(...args);
      isInside = true;
      try {
        hook({ nth: ++nth, name, tear: tearOf(name, args) });
        return original(...args);
      } finally {
        isInside = false;
      }
    };
  });
  syncBuiltinESMExports();
  return () => {
    places.forEach(({ holder, name }, index) => void (holder[name] = originals[index] as Any));
    syncBuiltinESMExports();
  };
}

function isChanging(name: string, args: readonly unknown[]): boolean {
  if (name !== "openSync") return true;
  const flags = args[1];
  return typeof flags === "number" && (flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC)) !== 0;
}

const writeHalf = fs.writeSync.bind(fs);
const writeFileHalf = fs.writeFileSync.bind(fs);
const readWhole = fs.readFileSync.bind(fs);

function tearOf(name: string, [first, second]: readonly unknown[]): (() => void) | undefined {
  if (name === "writeSync") return () => void writeHalf(first as number, halfOf(second as string | Uint8Array));
  if (name === "writeFileSync")
    return () => writeFileHalf(first as string, halfOf(second as string | Uint8Array), { mode: 0o600 });
  if (name === "copyFileSync" || name === "copyFile")
    return () => writeFileHalf(second as string, halfOf(readWhole(first as string)));
  return undefined;
}

function halfOf(content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}
