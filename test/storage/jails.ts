import { kernel } from "../../src/storage/local/jail/kernel.ts";

/** Lists all ways in which files of this machine are opened. */
export const JAILS = [
  { name: "handle", jail: { containment: "handle", kernelSource: () => null } },
  { name: "handle, with openat2", jail: { containment: "handle", kernelSource: kernel } },
  { name: "best-effort", jail: { containment: "best-effort" } },
] as const;
