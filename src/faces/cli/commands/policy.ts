import { basename, dirname, resolve } from "node:path";
import { createApp } from "../../../app/app.ts";
import { type Act, ACTS, TEMPLATE_NAMES } from "../../../base/verdicts.ts";
import { isFault } from "../../../base/errors.ts";
import type { Layer, RuleWithOrigin } from "../../../config/layer.ts";
import { loadConfig } from "../../../config/load.ts";
import { type ConfigPlace, WORKSPACE_FILE } from "../../../config/places.ts";
import { examplesOf, type CompiledRule, compileRule, wordsIn } from "../../../runtime/rules/compile-rule.ts";
import type { PermissionRequest } from "../../../runtime/rules/permission-request.ts";
import type { Decision } from "../../../runtime/rules/decision.ts";
import type { MatchedRule } from "../../../runtime/rules/rules.ts";
import { templateRules } from "../../../runtime/rules/templates.ts";
import { checkToolPolicy } from "../../../runtime/tools/config.ts";
import { plural } from "../../../text/plural.ts";
import { mostSimilar } from "../../../text/did-you-mean.ts";
import { mergeSettings } from "../../../app/merged-settings.ts";
import { faultText } from "../fault-text.ts";
import type { CliSettings } from "../flags.ts";
import { withPlugins } from "../with-plugins.ts";
import { shownRule } from "../rule-text.ts";
import { programOf } from "../program.ts";
import { wrongVerb } from "../wrong-verb.ts";
import { chosenDialect } from "../chosen-dialect.ts";
import { formatTable, type Cell, print, colored, usage, warn } from "../terminal.ts";
import { policyExplainCommand } from "./policy-explain-command.ts";
import { policyExplainTool } from "./policy-explain-tool.ts";

/** Runs `holdfast policy check|explain|test`: checks and explains the rules without an agent. */
export async function policy(settings: CliSettings): Promise<number> {
  const [verb = "", ...words] = settings.words;
  if (verb === "check" && words.length === 1) return check(settings, String(words[0]));
  const [first = "", ...rest] = words;
  if (verb === "explain" && rest.length > 0 && isAct(first)) return explain(settings, first, rest);
  if (verb === "explain" && words.length === 1) return explainTool(settings, first);
  if (verb === "test" && words.length === 0) return test(settings);
  if (verb === "explain" && rest.length > 0) return reportUnknownAct(first);
  return wrongVerb("policy", settings.words[0]);
}

const reportUnknownAct = (act: string): number =>
  usage(
    "explain",
    `${JSON.stringify(act)} is not an act; the acts are ${ACTS.join(", ")}`,
    `holdfast policy explain ${mostSimilar(act, ACTS) ?? "write"} notes.txt`,
  );

const isAct = (word: string): word is Act => ACTS.some((act) => act === word);

/** Checks a configuration file as if a session used it alone. */
async function check({ json }: CliSettings, file: string): Promise<number> {
  const isWorkspace = basename(file) === WORKSPACE_FILE;
  const root = dirname(resolve(file));
  const place: ConfigPlace = isWorkspace
    ? { layer: "workspace", file, isNamed: true, root }
    : { layer: "user", file, isNamed: true };
  return report(testFile(place, root), `${file} is valid`, { json });
}

function testFile(place: ConfigPlace, root: string): readonly RuleTest[] {
  try {
    const { layers, config } = loadConfig([place]);
    checkToolPolicy(config);
    return layers.flatMap((layer) => testLayer(layer, [root]));
  } catch (error) {
    if (!isFault(error)) throw error;
    return [{ rules: 0, examples: 0, problem: faultText(error) }];
  }
}

/** Tests the examples of all rules: those of the files and of the built-in templates. */
async function test(settings: CliSettings): Promise<number> {
  const { loaded, roots } = await mergeSettings(settings, [], ".");
  const own = TEMPLATE_NAMES.map((name): Layer => ({
    name: "session",
    rules: templateRules(name).map((rule) => ({ ...rule, origin: `template ${name}` })),
  }));
  const layers = [...(loaded?.layers ?? []), ...own];
  const places = roots.map((root) => resolve(root));
  return report(
    layers.flatMap((layer) => testLayer(layer, places)),
    "All examples pass",
    settings,
  );
}

/** The result for one rule, or for a file that cannot be used. */
interface RuleTest {
  readonly rules: 0 | 1;
  readonly examples: number;
  readonly problem?: string;
}

const testLayer = (layer: Layer, roots: readonly string[]): readonly RuleTest[] =>
  layer.unusable
    ? [{ rules: 0, examples: 0, problem: layer.unusable.reason }]
    : layer.rules.map((rule) => testRule(rule, layer, roots));

function testRule(rule: RuleWithOrigin, { name, roots }: Layer, all: readonly string[]): RuleTest {
  try {
    compileRule(rule, { layer: name, kind: "rule", roots: roots ?? all });
    return { rules: 1, examples: examplesOf(rule).length };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { rules: 1, examples: 0, problem: error.message };
  }
}

function report(tested: readonly RuleTest[], good: string, { json }: Pick<CliSettings, "json">): number {
  const problems = tested.flatMap(({ problem }) => problem ?? []);
  const rules = sumOf(tested.map((each) => each.rules));
  const examples = sumOf(tested.map((each) => each.examples));
  if (json) print(JSON.stringify({ rules, examples, problems }));
  else if (problems.length > 0) problems.forEach(warn);
  else print(`${good}: ${plural(rules, "rule")} with ${plural(examples, "example")}`);
  return problems.length > 0 ? 1 : 0;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Prints if the session sees a tool and, if not, why. */
async function explainTool(settings: CliSettings, name: string): Promise<number> {
  const { session, close } = createApp({ ...(await withPlugins(await mergeSettings(settings, [], "."))), warn });
  await session.lazyTools?.loadFor(name);
  const code = policyExplainTool(name, session.toolset(), settings);
  await close();
  return code;
}

/** Prints the rules that match a request, and which of them decides. */
async function explain(settings: CliSettings, act: Act, words: readonly string[]): Promise<number> {
  const options = await withPlugins(await mergeSettings(settings, [], "."));
  const { session, close } = createApp({ ...options, dialect: await chosenDialect(options), warn });
  const isCommand = act === "exec" || act === "network";
  const [path, ...extra] = words;
  if (isCommand) await session.lazyTools?.loadFor(String(path));
  const named = isCommand ? session.toolset().byName.get(String(path)) : undefined;
  if (act === "exec" && named?.plugin === undefined) {
    const code = await policyExplainCommand(session, words.join(" "), settings);
    await close();
    return code;
  }
  if (!isCommand && extra.length > 0)
    return usage("explain", "give one path", `holdfast policy explain ${act} notes.txt`);
  const request: PermissionRequest = isCommand
    ? { ...commandRequest(act, wordsIn(words.join(" "))), tool: named }
    : { act, place: await session.workspace.locate(String(path)) };
  const rules = session.rules();
  const decision = rules.decide(request);
  const matching = rules.matchingRules(request);
  print(
    settings.json
      ? JSON.stringify(dataOf(request, decision, matching))
      : textOf(words.join(" "), request, decision, matching),
  );
  await close();
  return 0;
}

/** Builds the request for a command, which rules match by its words and by the program that the first one names. */
const commandRequest = (act: Act, command: readonly string[]): PermissionRequest => ({
  act,
  place: programOf(command[0] ?? "", process.env["PATH"]) ?? "",
  command,
});

function dataOf(
  { act, place }: PermissionRequest,
  { verdict, reasons }: Decision,
  matching: readonly MatchedRule[],
): object {
  const rules = matching.map((each) => ({
    layer: each.rule.layer,
    rule: each.rule.entry,
    origin: each.rule.origin,
    verdict: each.verdict,
    in_force: each.isInForce,
    decides: isDeciding(each, verdict),
  }));
  return { act, place, verdict, reasons, rules };
}

const isDeciding = ({ isInForce, verdict }: MatchedRule, decided: Decision["verdict"]): boolean =>
  isInForce && verdict === decided;

function textOf(
  what: string,
  { act }: PermissionRequest,
  { verdict, reasons }: Decision,
  matching: readonly MatchedRule[],
): string {
  const head = `${act} ${what}: ${colored("strong", verdict)} (${reasons.join("; ")})`;
  return [head, ...(matching.length === 0 ? [] : [formatTable(matching.map((each) => rowOf(each, verdict)))])].join(
    "\n",
  );
}

function rowOf(each: MatchedRule, decided: Decision["verdict"]): readonly Cell[] {
  const { rule } = each;
  const role = isDeciding(each, decided) ? "decides" : each.isInForce ? "applies" : "overridden";
  return [["strong", role], rule.layer, ruleText(rule), ["dim", rule.origin]];
}

const ruleText = ({ kind, entry, reason }: CompiledRule): string =>
  kind === "guard" ? `blocked: ${reason}` : shownRule(entry);
