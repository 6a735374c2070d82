import { kernel } from "../../src/storage/local/jail/kernel.ts";

/** All ways in which files of this machine are reached. */
export const JAILS = [
  { name: "handle", jail: { containment: "handle", asking: () => null } },
  { name: "handle, in the kernel's own words", jail: { containment: "handle", asking: kernel } },
  { name: "best-effort", jail: { containment: "best-effort" } },
] as const;
