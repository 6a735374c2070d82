import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import { quoted } from "../../text/quote.ts";
import { answer, defineTool, READ_ONLY, type RootFacts, type SessionFacts } from "../tool.ts";
import type { Guarantees } from "../../storage/writer.ts";
import { UNLISTED } from "../unlisted.ts";

const input = z.strictObject({
  approval: z
    .string()
    .max(LIMITS.quotedNameChars)
    .optional()
    .describe("Go on with the call that waits for this")
    .meta(UNLISTED.again),
});
const guaranteesOutput = z.record(z.string(), z.union([z.string(), z.boolean()])).optional();
const output = z.object({
  session_id: z.string(),
  roots: z.array(
    z.object({
      path: z.string(),
      read: z.boolean(),
      write: z.boolean(),
      containment: z.string().optional(),
      guarantees: guaranteesOutput,
    }),
  ),
  profile: z.string(),
  limits: z.record(z.string(), z.number()),
  counters: z.record(z.string(), z.number()),
  containment: z.string(),
  guarantees: guaranteesOutput,
  problems: z.array(z.string()).optional().describe("Why nothing can be changed"),
  hidden_tools: z.array(z.object({ tool: z.string(), reason: z.string(), fix: z.string() })),
  resumed: z.record(z.string(), z.unknown()).optional().describe("What the call that waited has answered"),
});

export const session = defineTool({
  name: "session",
  title: "This session",
  description: "Roots, limits and permissions of this session.",
  annotations: { ...READ_ONLY, idempotentHint: false },
  catalogue: {
    group: "sessions",
    order: 320,
    profiles: ["minimal", "readonly", "messaging", "files"],
    agentName: "session_status",
  },
  otherNames: ["session_status"],
  input,
  output,
  resumesCalls: true,
  polls: ({ approval }) => approval !== undefined,

  async plan({ approval }, _view, facts) {
    const { id, profile, containment, isOneStorage, pageBytes, pageLines, counters, hiddenTools, problems } = facts;
    const roots = facts.roots();
    const common = isOneStorage ? roots[0]?.guarantees : undefined;
    const limits = {
      ...(pageLines !== undefined && { page_lines: pageLines }),
      page_bytes: pageBytes,
      media_bytes: LIMITS.mediaBytes,
      list_entries: LIMITS.listEntries,
      tree_entries: LIMITS.treeEntries,
    };
    const data = {
      session_id: id,
      roots: roots.map((root) => rootData(root, isOneStorage)),
      profile,
      limits,
      counters: { ...counters },
      containment,
      ...(common && { guarantees: guaranteeData(common) }),
      ...(problems.length > 0 && { problems }),
      hidden_tools: hiddenTools,
    };
    if (approval !== undefined)
      return { kind: "resume", approval, answerFor: (done) => ({ ...done, data: { ...data, resumed: done.data } }) };
    const lines = roots.map((root) => rootLine(root, isOneStorage));
    const held = isOneStorage ? `, containment ${containment}` : "";
    const line = `session ${id}, profile ${profile}${held}, pages of ${pageBytes} bytes`;
    const limited = limitsOf(common).map((each) => `changes: ${each}`);
    const parts = [...problems, ...lines, line, ...limited, ...hiddenLines(hiddenTools)];
    return answer(parts.join("\n"), data);
  },
});

const guaranteeData = ({ changeSet, ...others }: Guarantees) => ({ change_set: changeSet, ...others });

/** Says of each root what holds in its storage, where they differ. */
const rootData = ({ path, read, write, containment, guarantees }: RootFacts, isOneStorage: boolean) => ({
  path,
  read,
  write,
  ...(!isOneStorage && { containment, ...(guarantees && { guarantees: guaranteeData(guarantees) }) }),
});

function rootLine({ path, read, write, containment, guarantees }: RootFacts, isOneStorage: boolean): string {
  const allowed = `${quoted(path)}: ${read ? "read" : "no read"}, ${write ? "write" : "no write"}`;
  return isOneStorage ? allowed : [allowed, `containment ${containment}`, ...limitsOf(guarantees)].join("; ");
}

/** Says what a caller would not expect of files: on a disk every one of these holds. */
function limitsOf(guarantees: Guarantees | undefined): readonly string[] {
  if (!guarantees || guarantees.changeSet === "atomic") return [];
  const { file, rename, links, permissions, directories } = guarantees;
  const limits = [
    "a change set is put back when a part of it fails",
    ...(file === "none" ? ["what others write at the same moment is lost"] : []),
    ...(rename === "copies" ? ["a rename copies"] : []),
    ...(links ? [] : ["no links"]),
    ...(permissions ? [] : ["no permissions"]),
    ...(directories ? [] : ["empty directories may vanish"]),
  ];
  return [limits.join("; ")];
}

/** Groups tools by the reason why they are hidden, because one line of the configuration often hides many. */
function hiddenLines(hidden: SessionFacts["hiddenTools"]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { tool, reason } of hidden) byReason.set(reason, [...(byReason.get(reason) ?? []), tool]);
  return [...byReason].map(([reason, tools]) => `hidden: ${tools.join(", ")} (${reason})`);
}
