import * as z from "zod";
import { decisionAboutCommand } from "../../../app/decision-about-command.ts";
import { Fault } from "../../../base/errors.ts";
import { isoOf } from "../../../base/time.ts";
import { ACTS } from "../../../base/verdicts.ts";
import type { StoredGrant } from "../../../runtime/approvals/grants.ts";
import type { Rules } from "../../../runtime/rules/rules.ts";
import type { Explanation, GrantEntry, RuleEntry, RuleList } from "../contract.ts";
import { type Endpoint, nameOf, parsed, pathText } from "./endpoint.ts";
import { nameWithin } from "./names.ts";

const list: Endpoint = {
  method: "GET",
  path: "/api/rules",
  async handle({ app }): Promise<RuleList> {
    await app.session.reload();
    const { compiledRules, unusable } = app.session.rules();
    return {
      rules: distinct(compiledRules.map(ruleOf)),
      grants: app.grants.listStored().map(grantOf),
      problems: unusable,
    };
  },
};

/** Guards of several places read the same. */
const distinct = (all: readonly RuleEntry[]): readonly RuleEntry[] => [
  ...new Map(all.map((rule) => [JSON.stringify(rule), rule])).values(),
];

type CompiledRule = Rules["compiledRules"][number];

function ruleOf({ entry, kind, reason, origin }: CompiledRule): RuleEntry {
  const { act, path, command, tool, decide } = entry;
  const place = [path, command, tool].flatMap((each) => (each === undefined ? [] : [each].flat()));
  return {
    decide,
    act: [act].flat().join(", "),
    ...(place.length > 0 && { path: place.join(", ") }),
    ...((kind === "guard" || entry.reason !== undefined) && { reason }),
    origin: kind === "guard" || origin === "built-in" ? "built in" : origin,
  };
}

const grantOf = ({ id, act, path, tool, plugin, agent, roots, expiresMs }: StoredGrant): GrantEntry => {
  const subject = path?.[0] === undefined ? [tool, plugin].filter(Boolean).join(" of ") : nameWithin(roots, path[0]);
  return { id, what: `${[act].flat().join(", ")} ${subject}`, agent, until: isoOf(expiresMs) };
};

const revoke: Endpoint = {
  method: "POST",
  path: "/api/grants/:/revoke",
  async handle(call): Promise<object> {
    parsed(z.strictObject({}), call.body);
    if (await call.app.grants.revoke(nameOf(call))) return {};
    throw new Fault("not_found", `Cannot revoke ${JSON.stringify(nameOf(call))}: there is no such grant`, {
      hint: "It may have ended by itself",
    });
  },
};

const explainQuery = z.strictObject({ act: z.enum(ACTS), subject: pathText });

/** Explains by the rules of the directories that the server was started with. */
const explain: Endpoint = {
  method: "GET",
  path: "/api/explain",
  async handle({ app: { session }, query }): Promise<Explanation> {
    const { act, subject } = parsed(explainQuery, query);
    await session.reload();
    if (act === "exec") return { ...pick(await decisionAboutCommand(session, subject)), matching: [] };
    const request = { act, place: await session.workspace.locate(subject) };
    const { verdict, reasons } = session.rules().decide(request);
    const matching = session.rules().matchingRules(request);
    const isDeciding = (each: (typeof matching)[number]): boolean => each.isInForce && each.verdict === verdict;
    const ordered = [...matching.filter(isDeciding), ...matching.filter((each) => !isDeciding(each))];
    return { verdict, reasons, matching: ordered.map(({ rule }) => ruleOf(rule)) };
  },
};

const pick = ({ verdict, reasons }: Pick<Explanation, "verdict" | "reasons">) => ({ verdict, reasons });

export const rules: readonly Endpoint[] = [list, revoke, explain];
