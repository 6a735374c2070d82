import { type FaultAnswer, faultOf } from "../base/errors.ts";
import { call } from "../runtime/pipeline/call.ts";
import type { Request } from "../runtime/pipeline/request.ts";
import type { Session } from "../runtime/sessions/session.ts";

/** Calls a tool for a person. Throws its fault. */
export type Ask = <Data>(tool: string, input: Readonly<Record<string, unknown>>) => Promise<Data>;

export const createAsk =
  (session: Session, progress?: Request["progress"]): Ask =>
  async <Data>(tool: string, input: Readonly<Record<string, unknown>>) => {
    const { isError, data } = await call(session, { tool, input, signal: { aborted: false }, repeats: true, progress });
    if (isError) throw faultOf(data["error"] as FaultAnswer);
    return data as Data;
  };
