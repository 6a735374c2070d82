import { type Code, Fault } from "../base/errors.ts";
import { type Alert, raiseAlert, type RaisedAlert } from "../runtime/alerts/alerts.ts";
import { call } from "../runtime/pipeline/call.ts";
import type { Request } from "../runtime/pipeline/request.ts";
import { narrowed, type Session } from "../runtime/pipeline/session.ts";
import type { DeleteCall } from "../tools/fs/delete.ts";
import type { EditCall } from "../tools/fs/edit.ts";
import type { FindCall } from "../tools/fs/find.ts";
import type { GrepCall } from "../tools/fs/grep.ts";
import type { LsCall } from "../tools/fs/ls.ts";
import type { MkdirCall } from "../tools/fs/mkdir.ts";
import type { ReadCall } from "../tools/fs/read.ts";
import type { RelocationCall } from "../tools/fs/changing/relocation.ts";
import type { RestoreCall } from "../tools/fs/restore.ts";
import type { SessionCall } from "../tools/sessions/session.ts";
import type { StatCall } from "../tools/fs/stat.ts";
import type { WatchCall } from "../tools/fs/watch.ts";
import type { WriteCall } from "../tools/fs/write.ts";

/** Maps the native tools that dialects use to their inputs and answers. */
export interface NativeCalls {
  readonly copy: RelocationCall;
  readonly delete: DeleteCall;
  readonly edit: EditCall;
  readonly find: FindCall;
  readonly grep: GrepCall;
  readonly ls: LsCall;
  readonly mkdir: MkdirCall;
  readonly move: RelocationCall;
  readonly read: ReadCall;
  readonly restore: RestoreCall;
  readonly session: SessionCall;
  readonly stat: StatCall;
  readonly watch: WatchCall;
  readonly write: WriteCall;
}

export type NativeName = keyof NativeCalls;

/** Is all that a dialect can use: native calls, which are checked, journaled and audited like all others. */
export interface Native<Uses extends NativeName = NativeName> {
  /** Makes one call and returns its structured output. Throws its fault. */
  ask<Name extends Uses>(tool: Name, input: NativeCalls[Name]["input"]): Promise<NativeCalls[Name]["answer"]>;
  /** Sends an alert to people. The audit log records it. */
  alert(alert: Pick<Alert, "severity" | "message" | "context">): Promise<RaisedAlert>;
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
  within: (directory) => nativeOf(narrowed(session, rootsNamed(session, directory)), request, via, listener),
  facts: session.facts,
  alert: (alert) => raiseAlert(session, alert),
  async ask(tool, input) {
    listener.onCall();
    // The loop guard checks the call of the dialect. Its native calls may repeat themselves.
    const { isError, data } = await call(session, { ...request, tool, input, via, repeats: true });
    if (isError) throw faultIn(data);
    listener.onAnswer(tool, input, data);
    return data as unknown as NativeCalls[typeof tool]["answer"];
  },
});

const rootsNamed = ({ workspace }: Session, directory: string): Session["workspace"]["roots"] =>
  workspace.roots.filter(({ given }) => given === directory);

function faultIn(data: Readonly<Record<string, unknown>>): Fault {
  const { code, message, ...details } = data["error"] as { code: Code; message: string };
  return new Fault(code, message, details);
}
