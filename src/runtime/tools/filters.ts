import { keyText } from "../../text/key-path.ts";
import type { Annotations } from "../../tools/tool.ts";
import type { ConfigKeyPath, ToolLists, ToolScope } from "./config.ts";
import { isInProfile, matchesTool, type NamedTool } from "./match-tool.ts";

/** The properties of a tool that filters look at. */
export interface FilteredTool extends NamedTool {
  readonly annotations: Pick<Annotations, "readOnlyHint">;
  readonly ownerOnly?: boolean | undefined;
  readonly optional?: boolean | undefined;
}

/** A change of the configuration or of the agent context after which the tool is shown. */
export type Remedy =
  | { readonly kind: "add" | "remove"; readonly key: ConfigKeyPath; readonly entry: string }
  | { readonly kind: "set"; readonly key: ConfigKeyPath; readonly value: boolean | string }
  | { readonly kind: "agentContext"; readonly says: string };

/** Says why a tool is not shown. */
export interface Removal {
  readonly reason: string;
  /** Names the key of the configuration that decided; a default did where there is none. */
  readonly key: ConfigKeyPath;
  readonly remedy: Remedy;
}

/** Returns why a tool is hidden; undefined if it is shown. */
export type Filter = (tool: FilteredTool) => Removal | undefined;

/** A part of the configuration with its key. */
export interface ScopeWithKey<Scope> {
  readonly key: ConfigKeyPath;
  readonly scope: Scope;
}

/** The list that applies where the configuration has none. */
export interface BuiltIn {
  /** The sessions that the list is for, in words. */
  readonly sessions: string;
  readonly deny: readonly string[];
  allows(tool: FilteredTool): boolean;
}

/** Filters by the lists of a scope. Deny wins; an empty `allow` means all. */
export function byLists({ key, scope }: ScopeWithKey<ToolLists>, builtIn?: BuiltIn): Filter {
  const also = scope.alsoAllow ?? [];
  const hasOwn = scope.allow !== undefined && scope.allow.length > 0;
  const isAllowedHere = (tool: FilteredTool): boolean => {
    if (hasOwn) return scope.allow.some((entry) => matchesTool(entry, tool));
    if (scope.allow || !builtIn) return true;
    return builtIn.allows(tool) || also.some((entry) => matchesTool(entry, tool));
  };
  const isNamed = (tool: FilteredTool): boolean =>
    [...(scope.allow ?? []), ...also].some((entry) => !entry.includes("*") && matchesTool(entry, tool));
  return (tool) => {
    const denied = scope.deny?.findIndex((entry) => matchesTool(entry, tool)) ?? -1;
    if (denied >= 0) return deniedBy([...key, "deny"], denied, scope.deny?.[denied] as string);
    const isDeniedByDefault = scope.deny === undefined && builtIn?.deny.some((entry) => matchesTool(entry, tool));
    const isAllowed = isAllowedHere(tool);
    if (isAllowed && (!isDeniedByDefault || isNamed(tool))) return undefined;
    const list = [...key, hasOwn ? "allow" : "alsoAllow"];
    const reason = isAllowed || !hasOwn ? `${builtIn?.sessions} do not see it` : `${keyText(list)} leaves it out`;
    return { reason, key: list, remedy: { kind: "add", key: list, entry: tool.name } };
  };
}

const deniedBy = (list: ConfigKeyPath, nth: number, entry: string): Removal => ({
  reason: `${keyText(list)} has ${JSON.stringify(entry)}`,
  key: [...list, String(nth)],
  remedy: { kind: "remove", key: list, entry },
});

/** Filters by the profile of the first scope that has one, plus the first `alsoAllow`. Other scopes do not count. */
export function byProfile(scopes: readonly ScopeWithKey<ToolScope>[]): Filter | undefined {
  const withProfile = scopes.find(({ scope }) => scope.profile !== undefined);
  const profile = withProfile?.scope.profile;
  if (!withProfile || profile === undefined) return undefined;
  const withAlso = scopes.find(({ scope }) => scope.alsoAllow?.length) ?? withProfile;
  const also = withAlso.scope.alsoAllow ?? [];
  const key = [...withProfile.key, "profile"];
  const reason = `${keyText(key)} "${profile}" leaves it out`;
  return (tool) => {
    if (isInProfile(profile, tool) || also.some((entry) => matchesTool(entry, tool))) return undefined;
    // A scope with `allow` cannot have `alsoAllow`: widen the profile instead, which `allow` then narrows.
    const remedy: Remedy = withAlso.scope.allow?.length
      ? { kind: "set", key, value: "full" }
      : { kind: "add", key: [...withAlso.key, "alsoAllow"], entry: tool.name };
    return { reason, key, remedy };
  };
}
