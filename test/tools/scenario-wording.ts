import type { Answer } from "./scenario-answer.ts";

/** A refusal as result.json has it: it may leave out the message and the hint, which other scenarios compare. */
export interface Recorded {
  readonly data?: { readonly error?: Readonly<Record<string, unknown>> };
}

/** Each wording without its names and numbers, and whether some scenario compares it. */
const wordings = new Map<string, boolean>();

/** Returns what is compared of an answer. A refusal has no text of its own: it is the message and the hint. */
export function comparable(answer: Answer, recorded: Recorded | undefined): Partial<Answer> {
  if (!answer.isError) return answer;
  const error = answer.data["error"] as Readonly<Record<string, unknown>>;
  const kept = Object.entries(error).filter(([key, value]) => !isWording(key) || isKept(key, String(value), recorded));
  return { isError: true, data: { error: Object.fromEntries(kept) } };
}

const isWording = (key: string): boolean => key === "message" || key === "hint";

function isKept(key: string, value: string, recorded: Recorded | undefined): boolean {
  const isRecorded = recorded === undefined || recorded.data?.error?.[key] !== undefined;
  const wording = shapeOf(value);
  wordings.set(wording, isRecorded || wordings.get(wording) === true);
  return isRecorded;
}

const shapeOf = (text: string): string => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"').replaceAll(/\d+/g, "0");

/** Lists the wordings that no scenario compares. */
export const neverCompared = (): readonly string[] =>
  [...wordings].flatMap(([wording, isCompared]) => (isCompared ? [] : [wording]));
