import type { Options } from "../../app/options.ts";
import type { Configured } from "../../app/configured.ts";

/** The dialect that the operator chose, if any: ours, or one of a plugin. Only then is one loaded. */
export async function chosenDialect({
  speaks,
  plugins = [],
}: Pick<Configured, "speaks" | "plugins">): Promise<Options["dialect"]> {
  if (speaks === undefined) return undefined;
  const { loadDialect } = await import("../../dialects/load.ts");
  return loadDialect(
    speaks,
    plugins.flatMap(({ dialect }) => dialect ?? []),
  );
}
