import type { Options } from "../../app.ts";
import type { Settings } from "./flags.ts";

/** The dialect that the operator chose, if any. Only then is one loaded. */
export async function spokenIn({ speaks }: Settings): Promise<Options["dialect"]> {
  if (speaks === undefined) return undefined;
  const { loadDialect } = await import("../../dialects/load.ts");
  return loadDialect(speaks);
}
