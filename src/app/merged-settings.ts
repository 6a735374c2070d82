import type { Options } from "./options.ts";
import { isStorageUrl } from "../base/paths.ts";
import type { LoadedConfig } from "../config/load.ts";
import { type ConfigPlace, operatorPlaces, SYSTEM_DIRECTORY, workspacePlaces } from "../config/places.ts";
import { existsAt, realPathsOf, stampOf } from "../config/stamp.ts";
import { requireUsable } from "../runtime/rules/check-layer.ts";
import type { RuleSource } from "../runtime/rules/live-policy.ts";
import type { ConfigKeyPath } from "../runtime/tools/config.ts";
import type { ConfiguredTools } from "../runtime/tools/policy.ts";
import type { Settings } from "./settings.ts";

/** Merges flags, environment and configuration files. */
export interface MergedSettings extends Options {
  readonly places: readonly ConfigPlace[];
  /** Holds the merged files; undefined when there are none. */
  readonly loaded: LoadedConfig | undefined;
  readonly roots: readonly string[];
  readonly sources: Readonly<Record<string, string>>;
  /** Returns the flag or variable that decides a key; undefined where a file decides, or nothing. */
  startedWith(key: ConfigKeyPath): string | undefined;
  /** Names the dialect. */
  readonly dialectName: string | undefined;
}

/** Reads the configuration. The loader itself is imported only if a file exists, which costs one stat per place. */
export async function mergeSettings(
  settings: Settings,
  words: readonly string[] = [],
  otherwise?: string,
): Promise<MergedSettings> {
  const operators = operatorPlaces(process.env, settings.configFile, SYSTEM_DIRECTORY);
  const given = operators.some(existsAt) ? await loadFiles(operators) : undefined;
  const roots = rootsFor(settings, words, given, otherwise);
  const sources = sourcesFor(settings, given);
  const directories = [...roots.filter((root) => !isStorageUrl(root)), ...Object.values(sources)];
  const places = [...operators, ...workspacePlaces(directories.flatMap(realPathsOf))];
  const stamp = stampOf(places);
  const loaded = places.some(existsAt) ? await loadFiles(places) : undefined;
  return {
    ...settings,
    startedWith: deciderIn(settings, loaded),
    ...(loaded && valuesOf(settings, loaded)),
    roots,
    sources,
    places,
    loaded,
    ruleSource: sourceOf(settings, places, loaded, stamp),
  };
}

const loadFiles = async (places: readonly ConfigPlace[]): Promise<LoadedConfig> =>
  (await import("../config/load.ts")).loadConfig(places, requireUsable);

function rootsFor(
  settings: Settings,
  words: readonly string[],
  given: LoadedConfig | undefined,
  otherwise: string | undefined,
): readonly string[] {
  const named = settings.rootsWith(words);
  if (named.length > 0 && !given?.isFixed(["roots"])) return named;
  return given?.config.roots ?? (otherwise === undefined ? named : [otherwise]);
}

/** Returns the named directories. A machine that fixes its roots has no others, and names that it fixes stay. */
export function sourcesFor(settings: Settings, given: LoadedConfig | undefined): Readonly<Record<string, string>> {
  const { sources: written = {} } = given?.config ?? {};
  const fixed = Object.entries(written).filter(([name]) => given?.isFixed(["sources", name]));
  if (given?.isFixed(["roots"])) return Object.fromEntries(fixed);
  return { ...(settings.setBy("sources") === undefined ? written : settings.sources), ...Object.fromEntries(fixed) };
}

/** Lets a flag or variable override the file of the user, but not those of the system and the organisation. */
const choiceBetween =
  (settings: Settings, { isFixed }: LoadedConfig) =>
  <T>(key: string, given: T, written: T | undefined): T => {
    const isGiven = settings.setBy(key) !== undefined && !isFixed(key.split("."));
    return isGiven || written === undefined ? given : written;
  };

function valuesOf(settings: Settings, loaded: LoadedConfig): Partial<MergedSettings> {
  const { config } = loaded;
  const { tools } = config;
  const chosen = choiceBetween(settings, loaded);
  const waitMs = config.approvals?.waitSeconds === undefined ? undefined : config.approvals.waitSeconds * 1000;
  return {
    // A setting that only restricts counts wherever it is set.
    readOnly: settings.readOnly || config.readOnly === true,
    dialectName: chosen("dialect", settings.dialectName, config.dialect),
    contextWindow: chosen("contextWindow", settings.contextWindow, config.contextWindow),
    durability: chosen("durability", settings.durability, config.durability),
    trashHours: chosen("trashHours", settings.trashHours, config.trashHours),
    stateDirectory: chosen("stateDirectory", settings.stateDirectory, config.stateDirectory),
    loopDetection: {
      ...tools?.loopDetection,
      enabled: chosen("tools.loopDetection.enabled", settings.loopDetection, tools?.loopDetection?.enabled),
    },
    hookCommands: config.hooks,
    secrets: config.secrets,
    secretNames: config.secretNames,
    alerts: config.alerts,
    diagnostics: tools?.diagnostics,
    pluginFiles: config.plugins,
    ...toolsIn(settings, loaded),
    approvalWaitMs: chosen("approvals.waitSeconds", settings.approvalWaitMs, waitMs),
    auditRequired: config.audit?.required,
    approvalWebhook: config.approvals?.webhook,
    approvalSocket: config.approvals?.socket,
  };
}

function toolsIn(settings: Settings, loaded: LoadedConfig): ConfiguredTools & Pick<MergedSettings, "startedWith"> {
  const { tools, agents, groups } = loaded.config;
  const chosen = choiceBetween(settings, loaded);
  return {
    profile: chosen("tools.profile", settings.profile, tools?.profile),
    exec: loaded.isFixed(["tools", "exec", "security"]) ? undefined : settings.exec,
    toolConfig: { tools, agents, groups },
    originOf: loaded.originOf,
    startedWith: deciderIn(settings, loaded),
  };
}

const deciderIn =
  (settings: Settings, loaded: LoadedConfig | undefined) =>
  (key: ConfigKeyPath): string | undefined => {
    const [first = ""] = key;
    const isFixed = loaded?.isFixed(key) === true;
    // A setting that only restricts counts wherever it is set.
    const isTightened = loaded?.config.readOnly === true && (isFixed || !settings.readOnly);
    if (first === "readOnly" ? isTightened : isFixed) return undefined;
    // All named directories are set at once.
    return settings.setBy(first === "sources" ? first : key.join("."));
  };

const sourceOf = (
  settings: Settings,
  places: readonly ConfigPlace[],
  loaded: LoadedConfig | undefined,
  stamp: string,
): RuleSource => ({
  layers: loaded?.layers ?? [],
  tools: loaded ? toolsIn(settings, loaded) : { startedWith: deciderIn(settings, loaded) },
  async reload() {
    const now = stampOf(places);
    return now === stamp ? undefined : sourceOf(settings, places, await loadFiles(places), now);
  },
});
