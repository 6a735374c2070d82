import type { Options } from "../../app/options.ts";
import type { Configured } from "../../app/configured.ts";

/** Loads the dialect that the operator chose, if any: a built-in one, or one of a plugin. */
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
