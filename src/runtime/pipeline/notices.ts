import { LIMITS } from "../../base/limits.ts";
import type { Act } from "../../base/verdicts.ts";
import { quoted } from "../../text/quote.ts";

/** Something was done that the rules allow, and want told. */
export interface Notice {
  readonly tool: string;
  readonly session: string;
  /** A path, or the tool by which something beyond the files was done. */
  readonly done: readonly { readonly act: Act; readonly path: string }[];
  readonly reasons: readonly string[];
}

/** Whoever passes notices on to people: a log line, a message of the protocol. Must not throw or wait. */
export type NoticeSink = (notice: Notice) => void;

/** A notice as one line, such as "move a to b (moves files)". No name in it can forge a line or another act. */
export function noticeLine({ tool, done, reasons }: Notice): string {
  const most = LIMITS.noticeEffects;
  const phrases = tool === "move" ? joined(done) : done.map(phraseOf);
  const more = phrases.length > most ? [`and ${phrases.length - most} more`] : [];
  const said = [...phrases.slice(0, most), ...more].join(", ");
  return `${SAID_BY_ACTS.has(tool) ? "" : `${tool}: `}${said} (${reasons.map(withoutSubject).join("; ")})`;
}

/** Tools that do just what the acts say: their name would only repeat it. */
const SAID_BY_ACTS: ReadonlySet<string> = new Set(["delete", "mkdir", "move", "read", "write"]);

/** A thing that is moved leaves one place, may count as read there, and arrives at the last place. */
function joined(done: Notice["done"]): readonly string[] {
  const from = done.findIndex(({ act }) => act === "move");
  const arrival = done.findIndex(({ act }, nth) => nth > from && (act === "create" || act === "write"));
  return done.flatMap((each, nth) => {
    if (from < 0 || arrival < 0) return [phraseOf(each)];
    if (nth === arrival) return [];
    return [nth === from ? `${phraseOf(each)} to ${nameOf(done[arrival]?.path ?? "")}` : phraseOf(each)];
  });
}

const phraseOf = ({ act, path }: Notice["done"][number]): string => `${act} ${nameOf(path)}`;

/** In quotes also where a name could be taken for more of the sentence. */
function nameOf(path: string): string {
  const name = quoted(path);
  return name.startsWith('"') || !/[ ,()]/.test(name) ? name : `"${name}"`;
}

/** "it changes files", said of a call, is "changes files" behind what was done. */
const withoutSubject = (reason: string): string => reason.replace(/^it /, "");
