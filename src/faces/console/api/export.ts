import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { isoOf } from "../../../base/time.ts";
import type { PastChange } from "../../../runtime/change-history.ts";
import { textResponse } from "../../http/responses.ts";
import { filesOf } from "./change-entry.ts";
import { type ApiCall, type Endpoint, idText, parsed } from "./endpoint.ts";
import { fileOf } from "./net.ts";
import { rootsOfSession, wholeHistory, withHistory } from "./scope.ts";

const query = z.strictObject({ session: idText, as: z.enum(["markdown", "patch"]) });

/** Saves what a session changed: as a patch that `git apply` takes, or as a report with the same patch in it. */
export const exportSession: Endpoint = {
  method: "GET",
  path: "/api/export",
  async handle(call): Promise<Response> {
    const { session, as } = parsed(query, call.query);
    const patch = await patchOf(call, session);
    const text = as === "patch" ? patch.text : await reportOf(call, session, patch);
    const name = `session-${session.replaceAll(/[^\w-]/g, "").slice(0, 8)}.${as === "patch" ? "patch" : "md"}`;
    return textResponse(200, text.replace(/\n$/, ""), {
      "Content-Type": as === "patch" ? "text/x-patch; charset=utf-8" : "text/markdown; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    });
  },
};

interface Patch {
  readonly text: string;
  /** Names the files that it leaves out, and why. */
  readonly notes: readonly string[];
}

/** Joins the net changes of all files. */
async function patchOf(call: ApiCall, session: string): Promise<Patch> {
  return withHistory(call, await rootsOfSession(call, session), async (history) => {
    const notes: string[] = [];
    const parts: string[] = [];
    let left: number = LIMITS.consoleExportBytes;
    for (const effect of await history.netOf(session)) {
      const { diff, note } = await history.netDiffOf(effect);
      const reason = note ?? ((diff?.length ?? 0) > left ? "left out, the file would be too long" : undefined);
      if (reason !== undefined) notes.push(`${fileOf(effect).path}: ${reason}`);
      else parts.push(diff ?? "");
      left -= reason === undefined ? (diff?.length ?? 0) : 0;
    }
    return { text: parts.join(""), notes };
  });
}

async function reportOf(call: ApiCall, session: string, { text, notes }: Patch): Promise<string> {
  const lines: string[] = [];
  for await (const change of wholeHistory(call).changes()) {
    if (lines.length >= LIMITS.consoleChanges) break;
    if (change.session === session) lines.unshift(lineOf(change));
  }
  return [
    `# Session ${session}`,
    `Agent: ${code(call.sessions.agentOf(session))}`,
    "## Changes",
    lines.join("\n"),
    "## What they sum up to",
    ...notes.map((note) => `- ${code(note)}`),
    fenced(text),
  ].join("\n\n");
}

function lineOf(change: PastChange): string {
  const files = filesOf(change).map(
    ({ path, action, added = 0, removed = 0 }) => `${action} ${code(path)} +${added} -${removed}`,
  );
  return `- ${isoOf(change.timeMs)} ${change.tool}${change.isUndone ? " (undone)" : ""}: ${files.join(", ")}`;
}

/** Shows a text as it is: no name can forge markup. */
const code = (text: string): string => {
  const ticks = "`".repeat(longestRun(text) + 1);
  return `${ticks} ${text.replaceAll(/[\r\n]+/g, " ")} ${ticks}`;
};

const fenced = (text: string): string => {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}diff\n${text}${fence}`;
};

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
