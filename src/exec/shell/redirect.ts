import type { Redirection } from "unbash";
import { addPlaces, type Judging } from "./judging.ts";
import { shown, syntaxReason } from "./reasons.ts";
import { readWord } from "./word.ts";

/** Judges a redirection: into or from a fixed file, which becomes a place, or between descriptors. Returns its script. */
export function judgeRedirect(judging: Judging, redirection: Redirection): string {
  const part = judging.source.slice(redirection.pos, redirection.end);
  const script = redirection.type === "HereDoc" ? undefined : scriptOf(judging, redirection);
  if (script === undefined)
    judging.syntaxProblems.add(
      redirection.type === "HereDoc"
        ? syntaxReason("HereDoc", part)
        : `${shown(part)} is a redirection that is not on the list`,
    );
  return script ?? "";
}

function scriptOf(judging: Judging, redirection: Exclude<Redirection, { type: "HereDoc" }>): string | undefined {
  const { descriptor, operator, target } = redirection;
  if (descriptor?.type === "FileDescriptorVariable" || target === undefined) return undefined;
  const word = readWord(target.text, judging.context.home);
  if ("dynamic" in word || word.isPattern || word.hasStatus) return undefined;
  const number = descriptor === undefined ? "" : String(descriptor.value);
  if (operator === "<<<") return `${number}<<< ${word.script}`;
  if (operator === "<>" || (operator === "<&" && !DESCRIPTOR.test(word.value))) return undefined;
  if ((operator === ">&" || operator === "<&") && DESCRIPTOR.test(word.value))
    return `${number}${operator}${word.value}`;
  if (operator === ">&" && number !== "") return undefined;
  if (!addTarget(judging, operator === "<" ? "read" : "write", word.value)) return undefined;
  return `${number}${operator} ${word.script}`;
}

const DESCRIPTOR = /^(?:\d{1,3}|-)$/;

/** Adds the place of a redirection. Devices are not covered, but for those that stand for nothing or the output. */
function addTarget(judging: Judging, act: "read" | "write", path: string): boolean {
  if (HARMLESS_DEVICES.has(path)) return true;
  if (path === "" || /^\/+dev(?:\/|$)/.test(path)) return false;
  judging.users += 1;
  addPlaces(judging, [{ act, path, reach: "itself" }]);
  return true;
}

const HARMLESS_DEVICES: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin"]);
