import { createApp } from "../../../app/app.ts";
import { mergeSettings } from "../../../app/merged-settings.ts";
import type { CliSettings } from "../flags.ts";
import { withPlugins } from "../with-plugins.ts";
import { chosenDialect } from "../chosen-dialect.ts";
import { formatTable, print, usage, warn } from "../terminal.ts";

/**
 * Runs `holdfast tools [--dialect <name>]`: lists the tools that an agent gets. With `--json`, prints their schemas.
 */
export async function tools(settings: CliSettings): Promise<number> {
  const [extra] = settings.words;
  if (extra !== undefined)
    return usage("list tools", `unexpected argument ${JSON.stringify(extra)}`, "holdfast tools --dialect picoclaw");
  const options = await withPlugins(await mergeSettings(settings, [], "."));
  const { surface, close } = createApp({ ...options, dialect: await chosenDialect(options), warn });
  await surface.ready?.();
  const offered = surface.tools;
  if (settings.json) {
    const listed = offered.map((tool) => ({
      ...tool,
      inputSchema: tool.inputSchema(),
      outputSchema: tool.outputSchema?.(),
    }));
    print(JSON.stringify({ tools: listed }));
  } else print(formatTable(offered.map(({ name, description }) => [["strong", name], description])));
  await close();
  return 0;
}
