import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isoOf } from "../../../base/time.ts";
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  approvalState,
  shownApproval,
} from "../../../runtime/approvals/approval.ts";
import type { StoredGrant } from "../../../runtime/approvals/grants.ts";
import { approvalNotFound, type ApprovalStore } from "../../../runtime/approvals/store.ts";
import type { SuspendedSession } from "../../../runtime/loops/suspensions.ts";
import { isRecord } from "../../../base/json.ts";
import { toolAsked } from "../../../runtime/effects/effect-text.ts";
import { plural } from "../../../text/plural.ts";
import { quoted, visible } from "../../../text/quote.ts";
import { askOnTerminal, canAsk } from "../approval-prompt.ts";
import { approvalLines, askerText, rootsText } from "../approval-text.ts";
import { shortSession } from "../changes.ts";
import { withSharedState } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { interruption } from "../interruption.ts";
import { currentUser } from "../current-user.ts";
import { formatTable, type Cell, localTime, print, type Tone, colored, warn } from "../terminal.ts";
import { wrongVerb } from "../wrong-verb.ts";

/**
 * Runs `holdfast approvals [list|show|approve|deny|watch|grants|revoke|reset]`: shows and answers what waits for
 * approval, whoever asks and wherever.
 */
export async function approvals(settings: CliSettings): Promise<number> {
  const [verb = "list", id, ...more] = settings.words;
  if (verb === "list" && id === undefined) return list(settings);
  if (verb === "watch" && id === undefined) return watch(settings);
  if (verb === "grants" && id === undefined) return listGrants(settings);
  if (verb === "revoke" && id !== undefined && more.length === 0) return revoke(settings, id);
  if (verb === "reset" && id !== undefined && more.length === 0) return reset(settings, id);
  if (verb === "show" && id !== undefined && more.length === 0) return show(settings, id);
  if (verb === "deny" && id !== undefined) return answer(settings, id, denial(more));
  const [scope = "once", ...extra] = more;
  if (verb === "approve" && id !== undefined && isScope(scope) && extra.length === 0)
    return answer(settings, id, { decision: scope });
  return wrongVerb("approvals", verb);
}

const isScope = (word: string): word is ApprovalAnswer["decision"] => ["once", "session", "always"].includes(word);

const denial = (words: readonly string[]): ApprovalAnswer => ({
  decision: "deny",
  ...(words.length > 0 && { reason: words.join(" ") }),
});

const list = (settings: CliSettings): Promise<number> =>
  withSharedState(settings, async ({ approvals: store, suspensions }) => {
    const [requests, stopped] = [store.list(), suspensions.list()];
    if (settings.json) return print(JSON.stringify({ approvals: requests.map(shownApproval), stopped }));
    print(requests.length === 0 ? NOTHING_PENDING : tableOf(requests));
    for (const each of stopped) print(stoppedLine(each));
  });

function stoppedLine({ session, roots, tool }: SuspendedSession): string {
  const id = shortSession(session);
  return (
    `Session ${colored("id", id)} in ${rootsText(roots)} was stopped because it kept repeating ${visible(tool)}: ` +
    `holdfast approvals reset ${id} lets it continue`
  );
}

/** Lets a stopped session continue. It is named by a prefix of its id. */
const reset = (settings: CliSettings, start: string): Promise<number> =>
  withSharedState(settings, async ({ suspensions }) => {
    const found = suspensions.list().filter(({ session }) => session.startsWith(start));
    const [stopped] = found;
    if (!stopped || found.length > 1) {
      const state = stopped
        ? "several sessions begin with it; give more characters"
        : "no such session was stopped; holdfast approvals lists those that were";
      throw new Fault("not_found", `Cannot reset ${JSON.stringify(start)}: ${state}`);
    }
    suspensions.of(stopped.session).remove();
    print(
      settings.json
        ? JSON.stringify({ reset: stopped.session })
        : `Session ${shortSession(stopped.session)} may continue`,
    );
  });

function tableOf(requests: readonly ApprovalRequest[]): string {
  const head = ["approval", "state", "asked", "session", "in", "tool", "what"];
  return formatTable([head.map((text): Cell => ["dim", text]), ...requests.map(rowOf)]);
}

function rowOf(request: ApprovalRequest): readonly Cell[] {
  const state = approvalState(request, Date.now());
  const [first = "", ...others] = request.effect.summary.split("\n");
  return [
    ["id", request.id],
    [TONES[state], state],
    localTime(isoOf(request.askedMs)),
    ["dim", askerText(request)],
    rootsText(request.roots),
    ["strong", toolAsked(request)],
    visible(first) + (others.length > 0 ? " …" : ""),
  ];
}

const TONES: Readonly<Record<ReturnType<typeof approvalState>, Tone>> = {
  pending: "strong",
  allowed: "good",
  denied: "bad",
  expired: "dim",
};

const show = (settings: CliSettings, id: string): Promise<number> =>
  withSharedState(settings, async ({ approvals: store }) => {
    const request = findApproval(store, id);
    print(settings.json ? JSON.stringify(shownApproval(request)) : approvalLines(request).join("\n"));
  });

const answer = (settings: CliSettings, id: string, given: ApprovalAnswer): Promise<number> =>
  withSharedState(settings, async ({ approvals: store }) => {
    const request = await store.answer(findApproval(store, id).id, { ...given, who: currentUser() }, "cli");
    print(settings.json ? JSON.stringify(shownApproval(request)) : confirmation(request, given));
  });

/** Confirms an answer and says what happens next. */
function confirmation(request: ApprovalRequest, { decision, reason }: ApprovalAnswer): string {
  const { id } = request;
  const tool = toolAsked(request);
  const report =
    reason === undefined ? "the model is told that you denied it" : `the model is told: ${visible(reason)}`;
  if (decision === "deny") return `Denied ${id}: ${tool}; ${report}`;
  return `Allowed ${id}: ${tool}; ${nextSteps(request, decision)}`;
}

/** Says what happens after a yes. The changes of a command are kept, so its call is not repeated. */
function nextSteps({ input, effect, longest }: ApprovalRequest, decision: keyof typeof NEXT_STEPS): string {
  if (longest !== undefined && decision !== "once" && decision !== longest)
    return `${NEXT_STEPS[longest]}; a yes to this command cannot be kept for longer`;
  const job = isRecord(input) && effect.command !== undefined ? input["process_id"] : undefined;
  if (typeof job !== "string") return NEXT_STEPS[decision];
  const scope = decision === "session" ? "for this session" : decision;
  return (
    `${scope}: the changes are applied now where the call still waits; otherwise when the agent calls process with ` +
    `action "apply", or by this command:\nholdfast jobs apply ${quoted(job)}`
  );
}

/**
 * A grant is made when the call continues, because only the call knows all that it needs. Until then none is listed.
 */
const EFFECTIVE_FROM = "once its call continues or is repeated";

/** A waiting call continues by itself. A call that has returned as pending must be repeated. */
const NEXT_STEPS = {
  once: "once: it happens now, or when its call is repeated",
  session: `for this session, ${EFFECTIVE_FROM}`,
  always: `always, ${EFFECTIVE_FROM}`,
} as const;

/** Finds an approval by a prefix of its id. */
function findApproval(store: ApprovalStore, start: string): ApprovalRequest {
  const found = store.list().filter(({ id }) => id.startsWith(start));
  const [request] = found;
  if (found.length > 1)
    throw new Fault(
      "invalid_input",
      `Cannot find approval ${JSON.stringify(start)}: several begin with it; give more characters`,
    );
  if (!request) {
    const { message } = approvalNotFound(start);
    throw new Fault("not_found", `${message}; holdfast approvals lists those that are pending`);
  }
  return request;
}

const listGrants = (settings: CliSettings): Promise<number> =>
  withSharedState(settings, async ({ approvals: store, grants }) => {
    const all = grants.listStored();
    if (settings.json) return print(JSON.stringify({ grants: all }));
    const head = ["grant", "until", "agent", "act", "path or tool", "in"].map((text): Cell => ["dim", text]);
    const rows = all.map((grant): readonly Cell[] => [
      ["id", grant.id],
      localTime(isoOf(grant.expiresMs)),
      visible(grant.agent),
      grant.act,
      grantedText(grant),
      rootsText(grant.roots),
    ]);
    print(all.length === 0 ? "No grants" : formatTable([head, ...rows]));
    for (const { id, tool } of store.list().filter(isAlways)) print(`${id}: ${tool} will be granted ${EFFECTIVE_FROM}`);
  });

const grantedText = ({ path, tool = "", plugin }: StoredGrant): string =>
  visible(path?.[0] ?? (plugin === undefined ? tool : `${tool} (${plugin})`));

const isAlways = (request: ApprovalRequest): boolean =>
  request.answer?.decision === "always" && approvalState(request, Date.now()) === "allowed";

const revoke = (settings: CliSettings, id: string): Promise<number> =>
  withSharedState(settings, async ({ grants }) => {
    if (!(await grants.revoke(id)))
      throw new Fault(
        "not_found",
        `Cannot revoke ${JSON.stringify(id)}: there is no such grant; holdfast approvals grants lists them`,
      );
    print(settings.json ? JSON.stringify({ revoked: id }) : `Revoked ${id}: the next call asks again`);
  });

/** Prints each new approval and, on a terminal, asks for the answer. Ends on a signal or Ctrl-D. */
const watch = (settings: CliSettings): Promise<number> =>
  withSharedState(settings, async ({ approvals: store }) => {
    const { signal, stop } = interruption();
    try {
      warn("Waiting for approvals of all agents; press Ctrl-C to stop");
      if (pendingIn(store).length === 0) warn(NOTHING_PENDING);
      for await (const request of newApprovals(store, signal)) {
        if (settings.json) print(JSON.stringify(shownApproval(request)));
        else if (!canAsk()) print(`${approvalLines(request).join("\n")}\n`);
        else await promptForAnswer(store, request, signal);
        if (process.stdin.readableEnded && process.stdin.isTTY) break;
      }
      reportEnd(pendingIn(store).length);
    } finally {
      stop();
    }
  });

const NOTHING_PENDING = "No pending approvals";

const reportEnd = (pending: number): void =>
  warn(
    pending === 0
      ? "Stopped watching; no pending approvals"
      : `Stopped watching; ${plural(pending, "approval")} still pending: holdfast approvals lists them`,
  );

const pendingIn = (store: ApprovalStore): readonly ApprovalRequest[] =>
  store.list().filter((request) => approvalState(request, Date.now()) === "pending");

async function* newApprovals(store: ApprovalStore, signal: AbortSignal): AsyncGenerator<ApprovalRequest, void> {
  const seen = new Set<string>();
  while (!signal.aborted) {
    const next = pendingIn(store).find(({ id }) => !seen.has(id));
    if (next) {
      seen.add(next.id);
      yield next;
    } else await pause(LIMITS.approvalPollMs, undefined, { signal }).catch(() => {});
  }
}

/** Asks for an answer and stores it. Prints an error if the approval was answered elsewhere meanwhile. */
async function promptForAnswer(store: ApprovalStore, request: ApprovalRequest, signal: AbortSignal): Promise<void> {
  const given = await askOnTerminal(request, signal);
  if (!given) return;
  const message = await store.answer(request.id, given, "cli").then(
    () => confirmation(request, given),
    (error: Error) => error.message,
  );
  print(message);
  if (pendingIn(store).length === 0) warn(NOTHING_PENDING);
}
