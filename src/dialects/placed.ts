import { isAbsolute } from "node:path";
import { childOf } from "../base/paths.ts";
import type { Native } from "./native.ts";

/** A relative path means the workspace, which is the first root; natively it could mean a later one too. */
export function inFirstRoot(given: string, { roots: [workspace = "/"] }: Pick<Native, "roots">): string {
  return isAbsolute(given) ? given : childOf(workspace, given === "" ? "." : given);
}
