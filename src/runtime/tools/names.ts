import { nameTestOf, type Token } from "../../text/glob/name.ts";
import { ALIASES, GROUPS, PLUGINS } from "./profiles.ts";

/** What lists know a tool by. */
export interface NamedTool {
  readonly name: string;
  /** Who brought it, when it is not one of ours. */
  readonly plugin?: string | undefined;
}

/** Whether an entry of a list means a tool: by name or alias, by group, by plugin, or by a glob with `*`. */
export function matchesTool(entry: string, { name, plugin }: NamedTool): boolean {
  const word = plainName(entry);
  if (word === PLUGINS) return plugin !== undefined;
  const members = GROUPS.get(word);
  if (members) return members.includes(name);
  return plugin === word || nameTestOf(tokensOf(word))(name);
}

/** An entry as tools are named. */
export function plainName(entry: string): string {
  const word = entry.trim().toLowerCase();
  return ALIASES.get(word) ?? word;
}

/** The star is the only wildcard. */
const tokensOf = (word: string): readonly Token[] =>
  word
    .split("*")
    .flatMap((text, nth): Token[] => [
      ...(nth > 0 ? [{ kind: "star" } as const] : []),
      ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ]);
