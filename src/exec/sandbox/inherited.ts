import { constants, openSync, readdirSync, readFileSync } from "node:fs";

/** Descriptors that every child of this process would get, and an empty one to put in their place. */
export interface Inherited {
  readonly numbers: readonly number[];
  readonly empty: number;
}

/**
 * Finds descriptors that this process got from the program that started it and that are not closed for its children:
 * editors and shells leave some open. Node itself opens none of this kind, so once is enough.
 */
export function inheritedDescriptors(): Inherited | undefined {
  found ??= { inherited: findInherited() };
  return found.inherited;
}

let found: { readonly inherited: Inherited | undefined } | undefined;

function findInherited(): Inherited | undefined {
  if (process.platform !== "linux") return undefined;
  const numbers = readdirSync("/proc/self/fd")
    .map(Number)
    .filter((number) => number > 2 && isInheritable(number));
  return numbers.length === 0 ? undefined : { numbers, empty: openSync("/dev/null", constants.O_RDONLY) };
}

function isInheritable(number: number): boolean {
  try {
    const flags = readFileSync(`/proc/self/fdinfo/${number}`, "utf8").match(/^flags:\s*([0-7]+)/m)?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The listing itself was open under this number.
    return false;
  }
}

const CLOSE_ON_EXEC = 0o2000000;
