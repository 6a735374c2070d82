import { isoOf } from "../../base/time.ts";
import { type ApprovalRequest, approvalState } from "../../runtime/approvals/approval.ts";
import { questionLines } from "../../runtime/effects/effect-text.ts";
import { quoted, visible } from "../../text/quote.ts";
import { shortSession } from "./changes.ts";
import { coloredPatchLine } from "./patch-colors.ts";
import { localTime, colored } from "./terminal.ts";

/** Formats an approval request with all its effects, in colour. */
export function approvalLines(request: ApprovalRequest): readonly string[] {
  const { id, roots = [], askedMs, expiresMs, channels, answer } = request;
  const until = `${approvalState(request, Date.now())}, until ${localTime(isoOf(expiresMs))}`;
  return [
    colored("id", `approval ${id}  ${localTime(isoOf(askedMs))}  ${askerText(request)}  ${until}`),
    ...(roots.length > 0 ? [`In ${roots.map(quoted).join(", ")}`] : []),
    ...(channels ? [`Only ${channels.join(" or ")} may answer`] : []),
    ...(answer ? [`Answered by ${answer.by}${answer.who ? ` (${visible(answer.who)})` : ""}: ${answer.decision}`] : []),
    ...questionLines(request).map((line) => coloredPatchLine(line)),
  ];
}

/** Names the session that asks, and the program that serves it, as that calls itself. */
export const askerText = ({ session, client }: Pick<ApprovalRequest, "session" | "client">): string =>
  client === undefined ? shortSession(session) : `${shortSession(session)} ${quoted(client)}`;

/** Names the first of the directories of a session, and counts the others. */
export function rootsText([first, ...others]: readonly string[] = []): string {
  if (first === undefined) return "-";
  return others.length === 0 ? quoted(first) : `${quoted(first)} and ${others.length} more`;
}
