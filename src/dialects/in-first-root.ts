import { isAbsolute } from "node:path";
import { childOf } from "../base/paths.ts";
import type { Native } from "./native.ts";

/** Resolves a relative path in the first root, which is the workspace. Natively it could match a later root as well. */
export function inFirstRoot(given: string, { roots: [workspace = "/"] }: Pick<Native, "roots">): string {
  return isAbsolute(given) ? given : childOf(workspace, given === "" ? "." : given);
}
