import { noticeLine } from "../../../runtime/pipeline/notices.ts";
import type { RequestLog } from "../../http/face.ts";
import { logSoon, reportPendingApproval, warn } from "../terminal.ts";
import type { Reports } from "./account-apps.ts";

/** Writes the log of the server to standard error: text for people, or a line of JSON per event. */
export interface ServerLog {
  readonly reports: Reports & { readonly warn: (message: string) => void };
  readonly request: RequestLog;
  /** Records that the server started or stopped. */
  event(event: string, details?: Readonly<Record<string, unknown>>): void;
}

export function createServerLog(isJson: boolean): ServerLog {
  return isJson ? jsonLog : textLog;
}

const textLog: ServerLog = {
  reports: {
    warn,
    onAlert: warn,
    onNotice: (notice) => logSoon(noticeLine(notice)),
    onApprovalRequest: reportPendingApproval,
  },
  request: ({ event, method, path, status, error, omitted }) => {
    if (omitted !== undefined) logSoon(`${omitted} more requests were ${event} and not logged`);
    logSoon(`${event} ${method} ${path}: ${status}${error === undefined ? "" : ` (${error})`}`);
  },
  event: () => {},
};

const writeJson = (level: "info" | "warning" | "error", event: string, details: object = {}): void =>
  void process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...details })}\n`);

const jsonLog: ServerLog = {
  reports: {
    warn: (message) => writeJson("warning", "warning", { message }),
    onAlert: (message) => writeJson("warning", "alert", { message }),
    onNotice: (notice) => writeJson("info", "notice", { message: noticeLine(notice) }),
    onApprovalRequest: ({ id, tool }) => writeJson("info", "approval_needed", { id, tool }),
  },
  request: ({ event, ...details }) => writeJson(event === "failed" ? "error" : "warning", event, details),
  event: (event, details) => writeJson("info", event, details),
};
