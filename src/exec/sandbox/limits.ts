import type { Limits } from "./sandbox.ts";
import { systemProgram } from "./system-programs.ts";

/**
 * Returns the words that set limits before a command. Memory is limited for each process, by what it can write to:
 * address space would do as well, but virtual machines of languages reserve far more than they use.
 */
export function limitWords({ memoryBytes, processes, fileBytes, cpuSeconds }: Limits): readonly string[] {
  const limits = [
    ...limitWord("data", memoryBytes),
    ...limitWord("nproc", processes),
    ...limitWord("fsize", fileBytes),
    ...limitWord("cpu", cpuSeconds),
  ];
  return limits.length === 0 ? [] : [systemProgram("prlimit"), "--core=0", ...limits, "--"];
}

const limitWord = (name: string, value: number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}=${Math.trunc(value)}`];
