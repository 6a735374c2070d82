import type { Options } from "../../app/options.ts";
import type { Configured } from "../../app/configured.ts";

/** The dialect that the operator chose, if any: ours, or one of a plugin. Only then is one loaded. */
export async function chosenDialect({
  dialectName,
  plugins = [],
}: Pick<Configured, "dialectName" | "plugins">): Promise<Options["dialect"]> {
  if (dialectName === undefined) return undefined;
  const { loadDialect } = await import("../../dialects/load.ts");
  return loadDialect(
    dialectName,
    plugins.flatMap(({ dialect }) => dialect ?? []),
  );
}
