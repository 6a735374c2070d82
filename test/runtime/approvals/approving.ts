import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "../../../src/app/options.ts";
import type { ChannelName } from "../../../src/base/verdicts.ts";
import type { RuleEntry } from "../../../src/config/rule.ts";
import type { ApprovalAnswer, ApprovalRequest, ApprovalChannel } from "../../../src/runtime/approvals/approval.ts";
import { appOn, type Caller, callerOf, scratch, type Tree } from "../scratch.ts";

export const ASK: readonly RuleEntry[] = [{ act: ["write", "delete"], decide: "approval", reason: "it is asked" }];

export interface Workroom {
  readonly rules?: readonly RuleEntry[];
  readonly options?: Partial<Options>;
}

/** Somebody is there and does not answer: then nobody waits for whoever might come to the command line. */
const SILENT: ApprovalChannel = { name: "client", ask: async () => undefined };

/** A session in which writing and deleting has to be allowed. */
export function sessionOn(root: string, { rules = ASK, options = {} }: Workroom = {}) {
  const written = rules.map((rule) => ({ ...rule, origin: "test" }));
  const app = appOn(root, {
    ruleSource: { layers: [{ name: "user", rules: written }] },
    approvalWaitMs: 20_000,
    ...options,
  });
  const call = callerOf(app);
  const caller: Caller = (tool, input, more) => call(tool, input, { channel: SILENT, ...more });
  return { app, caller, store: app.approvals };
}

export const TREE: Tree = { "a.txt": "one\ntwo\n", "d/x.txt": "x", "d/e/y.txt": "yy", "keep.txt": "k" };

export const workroom = (more: Workroom = {}) => {
  const root = scratch(TREE);
  return { root, ...sessionOn(root, more) };
};

/** Somebody at a client who is always of the same mind, and what he was asked. */
export function person(name: ChannelName, answer: ApprovalAnswer | undefined) {
  const asked: ApprovalRequest[] = [];
  const channel: ApprovalChannel = {
    name,
    ask: async (request) => {
      asked.push(request);
      return answer;
    },
  };
  return { asked, channel };
}

/** Alters a question on the disk, as no honest program would. */
export function tamper(stateDirectory: string, change: (request: ApprovalRequest) => unknown): void {
  const folder = join(stateDirectory, "approvals");
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const request = JSON.parse(readFileSync(file, "utf8")) as ApprovalRequest;
    writeFileSync(file, JSON.stringify(change(request)));
  }
}

/** As if it had been asked so long ago that its time is over. */
export const late = (request: ApprovalRequest): unknown => ({ ...request, askedMs: 0, expiresMs: 1 });

/** As if the process that asked had ended. */
export const orphaned = (request: ApprovalRequest): unknown => ({ ...request, process: "gone.0.1.1" });
