import type { Options } from "../../app/options.ts";
import type { MergedSettings } from "../../app/merged-settings.ts";

/** Loads the dialect that the operator chose, if any: a built-in one, or one of a plugin. */
export async function chosenDialect({
  dialectName,
  plugins = [],
}: Pick<MergedSettings, "dialectName" | "plugins">): Promise<Options["dialect"]> {
  if (dialectName === undefined) return undefined;
  const { loadDialect } = await import("../../dialects/load.ts");
  return loadDialect(
    dialectName,
    plugins.flatMap(({ dialect }) => dialect ?? []),
  );
}
