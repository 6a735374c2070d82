import { nameTestOf, type Token } from "../../text/glob/match-name.ts";
import type { CatalogueEntry } from "../../tools/tool.ts";
import { FOREIGN_TOOLS, GROUPS, PLUGINS, type ProfileName, PROFILES } from "./profiles.ts";

/** The properties of a tool that entries of lists match. */
export interface NamedTool {
  readonly name: string;
  /** The id of the plugin that adds the tool; absent for native tools. */
  readonly plugin?: string | undefined;
  readonly otherNames?: readonly string[] | undefined;
  readonly catalogue?: CatalogueEntry | undefined;
}

/** Tests if an entry of a list means a tool: by name or alias in any case, by group, by plugin, or by a glob with `*`. */
export function matchesTool(entry: string, { name, plugin, otherNames, catalogue }: NamedTool): boolean {
  const word = plainName(entry);
  if (word === PLUGINS) return plugin !== undefined;
  const groups = GROUPS.get(word);
  if (groups) return groups.some((group) => group === catalogue?.group || FOREIGN_TOOLS[group].includes(name));
  const isOtherName = otherNames?.some((other) => other.toLowerCase() === word) === true;
  return plugin === word || isOtherName || nameTestOf(tokensOf(word))(name.toLowerCase());
}

/** Tests if a profile has a tool: the tool names the profile, or an entry of the profile means the tool. */
export const isInProfile = (profile: ProfileName, tool: NamedTool): boolean =>
  tool.catalogue?.profiles?.includes(profile) === true || PROFILES[profile].some((entry) => matchesTool(entry, tool));

/** Returns an entry in lower case. */
export const plainName = (entry: string): string => entry.trim().toLowerCase();

/** Splits an entry at its stars, the only wildcard. */
const tokensOf = (word: string): readonly Token[] =>
  word
    .split("*")
    .flatMap((text, nth): Token[] => [
      ...(nth > 0 ? [{ kind: "star" } as const] : []),
      ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ]);
