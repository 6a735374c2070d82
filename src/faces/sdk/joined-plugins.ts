import type { Options } from "../../app.ts";
import { checkedPlugins } from "../../plugins/check.ts";
import type { Plugin } from "../../plugins/plugin.ts";

/** The plugins that a program hands over, for the engine. */
export const joinedBy = (
  plugins: readonly Plugin[] = [],
  warn: (message: string) => void = () => {},
): Pick<Options, "plugins"> => ({
  plugins: checkedPlugins(
    plugins.map((plugin, nth) => ({ from: `plugins[${nth}]`, plugin })),
    warn,
  ),
});
