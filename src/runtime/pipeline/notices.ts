import { LIMITS } from "../../base/limits.ts";
import type { Act } from "../../base/verdicts.ts";
import { quoted } from "../../text/quote.ts";

/** Reports acts that the rules allow and want people to be notified of. */
export interface Notice {
  readonly tool: string;
  readonly session: string;
  /** Pairs each act with a path, or with the tool that reached beyond the files. */
  readonly done: readonly { readonly act: Act; readonly path: string }[];
  readonly reasons: readonly string[];
}

/** Passes notices on to people, as a log line or a protocol message. Must not throw or block. */
export type NoticeSink = (notice: Notice) => void;

/** Renders a notice as one line, such as "move a to b (moves files)". No name can forge a line or another act. */
export function noticeLine({ tool, done, reasons }: Notice): string {
  const most = LIMITS.noticeEffects;
  const phrases = tool === "move" ? movePhrases(done) : done.map(phraseOf);
  const more = phrases.length > most ? [`and ${phrases.length - most} more`] : [];
  const acts = [...phrases.slice(0, most), ...more].join(", ");
  return `${TOOLS_NAMED_BY_ACTS.has(tool) ? "" : `${tool}: `}${acts} (${reasons.map(withoutSubject).join("; ")})`;
}

/** Lists tools that do just what their acts say, so that their name would only repeat it. */
const TOOLS_NAMED_BY_ACTS: ReadonlySet<string> = new Set(["delete", "mkdir", "move", "read", "write"]);

/** Joins the departure and the arrival of a move into one phrase. A read that it counts as keeps its own. */
function movePhrases(done: Notice["done"]): readonly string[] {
  const from = done.findIndex(({ act }) => act === "move");
  const arrival = done.findIndex(({ act }, nth) => nth > from && (act === "create" || act === "write"));
  return done.flatMap((each, nth) => {
    if (from < 0 || arrival < 0) return [phraseOf(each)];
    if (nth === arrival) return [];
    return [nth === from ? `${phraseOf(each)} to ${nameOf(done[arrival]?.path ?? "")}` : phraseOf(each)];
  });
}

const phraseOf = ({ act, path }: Notice["done"][number]): string => `${act} ${nameOf(path)}`;

/** Also quotes a name that could be taken for a part of the sentence. */
function nameOf(path: string): string {
  const name = quoted(path);
  return name.startsWith('"') || !/[ ,()]/.test(name) ? name : `"${name}"`;
}

/** Turns the reason "it changes files" into "changes files", to follow the acts in parentheses. */
const withoutSubject = (reason: string): string => reason.replace(/^it /, "");
