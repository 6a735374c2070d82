import { existsSync } from "node:fs";
import { createApp } from "../../../app/app.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Layer } from "../../../config/layer.ts";
import { DEFAULT_PROFILE } from "../../../runtime/tools/profiles.ts";
import { keyText, leafPathsOf, valueAt } from "../../../text/key-path.ts";
import { type MergedSettings, mergeSettings } from "../../../app/merged-settings.ts";
import type { CliSettings } from "../flags.ts";
import { shownRule } from "../rule-text.ts";
import { formatTable, print, colored } from "../terminal.ts";
import { wrongVerb } from "../wrong-verb.ts";

/** Runs `holdfast config show`: prints the values in effect and their origins. */
export async function config(settings: CliSettings): Promise<number> {
  const [verb = "show", ...extra] = settings.words;
  if (verb !== "show" || extra.length > 0) return wrongVerb("config", verb);
  const options = await mergeSettings(settings, [], ".");
  // Shows the default as well.
  const { stateDirectory } = createApp(options);
  const values = valuesOf({ ...options, stateDirectory });
  if (settings.json) print(JSON.stringify({ values, rules: rulesOf(options), files: filesOf(options) }));
  else print([tableOf(values), rulesText(options), filesText(options)].join("\n\n"));
  return 0;
}

interface ShownValue {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
}

const DEFAULT_TRASH_HOURS = { agent: LIMITS.agentTrashHours, user: LIMITS.userTrashHours };

/** Lists the keys that have a default. */
const DEFAULTS = [
  { key: "roots", of: ({ roots }: MergedSettings) => roots },
  { key: "dialect", of: ({ dialectName }: MergedSettings) => dialectName ?? null },
  { key: "readOnly", of: ({ readOnly }: MergedSettings) => readOnly ?? false },
  { key: "contextWindow", of: ({ contextWindow }: MergedSettings) => contextWindow ?? null },
  { key: "durability", of: ({ durability }: MergedSettings) => durability ?? "process" },
  { key: "trashHours", of: ({ trashHours }: MergedSettings) => trashHours ?? DEFAULT_TRASH_HOURS },
  { key: "stateDirectory", of: ({ stateDirectory }: MergedSettings) => stateDirectory },
  { key: "secrets", of: ({ secrets }: MergedSettings) => secrets ?? "on" },
  {
    key: "approvals.waitSeconds",
    of: ({ approvalWaitMs = LIMITS.approvalWaitMs }: MergedSettings) => approvalWaitMs / 1000,
  },
  { key: "tools.profile", of: ({ profile }: MergedSettings) => profile ?? DEFAULT_PROFILE },
  { key: "tools.loopDetection.enabled", of: ({ loopDetection }: MergedSettings) => isOn(loopDetection) },
] as const;

const isOn = (detection: MergedSettings["loopDetection"] = true): boolean =>
  typeof detection === "boolean" ? detection : (detection.enabled ?? true);

function valuesOf(options: MergedSettings): readonly ShownValue[] {
  const { loaded, sources } = options;
  const usual = DEFAULTS.map(({ key, of }) => ({ key, value: of(options), origin: originOf(options, key.split(".")) }));
  const named = Object.entries(sources).map(([name, value]) => {
    const path = ["sources", name];
    return { key: keyText(path), value, origin: originOf(options, path) };
  });
  const others = leafPathsOf(loaded?.config ?? {}).filter(
    ([first, ...rest]) => first !== "sources" && !DEFAULTS.some(({ key }) => key === [first, ...rest].join(".")),
  );
  return [
    ...usual,
    ...named,
    ...others.map((path) => ({
      key: keyText(path),
      value: valueAt(loaded?.config, path),
      origin: loaded?.originOf(path) ?? "default",
    })),
  ];
}

const originOf = ({ loaded, startedWith }: MergedSettings, path: readonly string[]): string =>
  startedWith(path) ?? loaded?.originOf(path) ?? "default";

const tableOf = (values: readonly ShownValue[]): string =>
  formatTable(values.map(({ key, value, origin }) => [["strong", key], JSON.stringify(value), ["dim", origin]]));

const rulesOf = ({ loaded }: MergedSettings): readonly Layer[] => loaded?.layers.filter(hasRules) ?? [];

const hasRules = ({ rules, template, unusable }: Layer): boolean =>
  rules.length > 0 || template !== undefined || unusable !== undefined;

function rulesText(options: MergedSettings): string {
  const rows = rulesOf(options).flatMap(({ name, rules, template, unusable }) => [
    ...(unusable ? [[name, `cannot be used, so all changes are refused: ${unusable.reason}`, unusable.file]] : []),
    ...(template ? [[name, `template ${template.name}`, template.origin]] : []),
    ...rules.map((rule) => [name, shownRule(rule), rule.origin]),
  ]);
  const all = [...rows, ["built-in", "template personal, where none of the above applies", "default"]];
  return `Rules\n${formatTable(all)}`;
}

const filesOf = ({ places }: MergedSettings): readonly object[] =>
  places.map(({ layer, file }) => ({ layer, file, exists: existsSync(file) }));

const filesText = ({ places }: MergedSettings): string =>
  `Files\n${formatTable(
    places.map(({ layer, file }) => [layer, file, existsSync(file) ? "" : colored("dim", "does not exist")]),
  )}`;
