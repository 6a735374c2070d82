import type { z } from "zod";
import { type Code, Fault } from "../base/errors.ts";
import { type Alert, raiseAlert, type SentAlert } from "../runtime/alerts/alerts.ts";
import { call } from "../runtime/pipeline/call.ts";
import type { Request } from "../runtime/pipeline/request.ts";
import { narrowSession, type Session } from "../runtime/sessions/session.ts";
import type { BUILTIN_TOOLS } from "../tools/index.ts";
import type { FailedPath } from "../tools/paths.ts";
import type { DefinedTool } from "../tools/tool.ts";

type CallsOf<Tools extends DefinedTool<string, z.ZodObject, z.ZodObject>> = {
  readonly [Each in Tools as Each["name"]]: CallOf<z.input<Each["input"]>, z.output<Each["output"]>>;
};

/** Types one call. Where a tool takes one path or several, dialects name one, and the answer is not a list. */
type CallOf<Input, Answer> = ["paths", Answer] extends [
  keyof Input,
  { readonly files?: readonly ((infer One) | FailedPath)[] | undefined },
]
  ? { readonly input: Input & { readonly path: string }; readonly answer: Exclude<One, FailedPath> }
  : { readonly input: Input; readonly answer: Answer };

/** Types the calls of the native tools that dialects are made of, by the tool's name. */
export interface NativeCalls extends CallsOf<(typeof BUILTIN_TOOLS)[number]> {}

export type NativeName = keyof NativeCalls;

/** All that a dialect can use: native calls, which are checked, journaled and audited like all others. */
export interface Native<Uses extends NativeName = NativeName> {
  /** Makes one call and returns its structured output. Throws its fault. */
  call<Name extends Uses>(tool: Name, input: NativeCalls[Name]["input"]): Promise<NativeCalls[Name]["answer"]>;
  /** Sends an alert to people. The audit log records it. */
  alert(alert: Pick<Alert, "severity" | "message" | "context">): Promise<SentAlert>;
  /** The start time of the session and its disks. */
  readonly facts: Pick<Session["facts"], "startedMs" | "disks">;
  /** The directories of the session, as the operator wrote them. */
  readonly roots: readonly string[];
  readonly sources: Session["sources"];
  /** Confines calls to one of these directories. Links do not lead to another. */
  within(root: string): Native<Uses>;
}

/** Is notified of every native call and answer. */
export interface CallListener {
  onCall(): void;
  onAnswer(tool: NativeName, input: object, answer: Readonly<Record<string, unknown>>): void;
}

export const nativeOf = (session: Session, request: Request, via: string, listener: CallListener): Native => ({
  roots: session.workspace.roots.map(({ given }) => given),
  sources: session.sources,
  within: (directory) => nativeOf(narrowSession(session, rootsNamed(session, directory)), request, via, listener),
  facts: session.facts,
  alert: (alert) => raiseAlert(session, alert),
  async call(tool, input) {
    listener.onCall();
    // The loop guard checks the call of the dialect. Its native calls may repeat themselves.
    const { isError, data } = await call(session, { ...request, tool, input, via, repeats: true });
    if (isError) throw faultIn(data);
    listener.onAnswer(tool, input, data);
    return data;
  },
});

const rootsNamed = ({ workspace }: Session, directory: string): Session["workspace"]["roots"] =>
  workspace.roots.filter(({ given }) => given === directory);

function faultIn(data: Readonly<Record<string, unknown>>): Fault {
  const { code, message, ...details } = data["error"] as { code: Code; message: string };
  return new Fault(code, message, details);
}
