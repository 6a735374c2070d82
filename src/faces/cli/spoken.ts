import type { Options } from "../../app.ts";
import type { Configured } from "./configured.ts";

/** The dialect that the operator chose, if any. Only then is one loaded. */
export async function spokenIn({ speaks }: Pick<Configured, "speaks">): Promise<Options["dialect"]> {
  if (speaks === undefined) return undefined;
  const { loadDialect } = await import("../../dialects/load.ts");
  return loadDialect(speaks);
}
