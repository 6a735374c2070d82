import { errnoOf } from "./errno.ts";

/** Lists every failure a caller can see. This table is the documentation: add a row, never a class. */
export const CODES = {
  invalid_input: { kind: "input", hint: "Fix the named argument and call again" },
  unknown_tool: { kind: "input", hint: "Use one of the tools listed for this session" },
  outside_workspace: { kind: "denied", hint: "Use a path inside the roots; the session tool lists them" },
  denied: { kind: "denied", hint: "Do not retry: ask the user, or find another way" },
  approval: { kind: "denied", hint: "This needs an approval: ask the user" },
  pending: {
    kind: "conflict",
    hint: "Nothing was done: tell the user what waits and how to allow it; then make the same call again",
  },
  expired: { kind: "conflict", hint: "Nothing was done: nobody answered in time; make the call again to ask again" },
  loop: { kind: "denied", hint: "The same call keeps giving the same answer: change the approach" },
  not_found: { kind: "missing", hint: "List the parent directory to see what exists" },
  not_a_file: { kind: "input", hint: "Use ls or tree for a directory" },
  not_a_directory: { kind: "input", hint: "Use read or stat for a file" },
  special_file: { kind: "denied", hint: "Only regular files and directories can be used" },
  no_permission: { kind: "denied", hint: "The operating system forbids it: ask the user to change the permissions" },
  not_text: { kind: "input", hint: 'Read it with encoding "base64", or use a tool made for this type' },
  no_match: { kind: "conflict", hint: "Copy the text as the file has it; read the file again if in doubt" },
  many_matches: {
    kind: "conflict",
    hint: "Add surrounding lines until only one place matches, or say how many are meant",
  },
  no_change: { kind: "input", hint: "Nothing was written: leave it out, or say what should be different" },
  overlap: { kind: "input", hint: "Join the changes that touch the same text into one" },
  bad_patch: { kind: "input", hint: "Fix the named line of the patch; nothing was changed" },
  cannot_encode: { kind: "input", hint: "Use characters that the encoding of the file has" },
  too_large: { kind: "input", hint: "Ask for less: a smaller limit, or page by page" },
  exists: { kind: "conflict", hint: "Choose another name, or set overwrite: true" },
  not_empty: { kind: "conflict", hint: "Set recursive: true to include its contents" },
  conflict: { kind: "conflict", hint: "Nothing was changed: read the file again and decide which side is right" },
  disk_full: { kind: "internal", hint: "Nothing was changed: ask the user to free space on the disk" },
  read_only: { kind: "denied", hint: "Nothing was changed: the disk is mounted read-only; ask the user" },
  too_many_watches: {
    kind: "denied",
    hint: "End a watch with cancel, watch a smaller directory, or ask the user to raise the limit of the system",
  },
  busy: { kind: "conflict", hint: "Nothing was changed: try again in a moment" },
  stale: { kind: "conflict", hint: "The file changed since it was read: read it again" },
  swapped: { kind: "conflict", hint: "Something keeps replacing this path: try again later" },
  root_gone: { kind: "missing", hint: "Ask the user to bring the directory back, or use another root" },
  cancelled: { kind: "stopped", hint: "The caller cancelled this call" },
  timeout: { kind: "stopped", hint: "It may still have taken effect: check before you try again, or tell the user" },
  tool_error: { kind: "internal", hint: "The tool itself failed: adapt the call to its message, or tell the user" },
  io: { kind: "internal", hint: "Retry once, then report it to the user" },
} as const;

export type Code = keyof typeof CODES;

/** The one error class. The message is for people and models; `details` go into structured output. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: Code;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: Code, message: string, details: Record<string, unknown> = {}, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.details = details;
  }
}

/** Works across realms and duplicate copies of this package, unlike `instanceof`. */
export const isFault = (error: unknown): error is Fault =>
  error instanceof Error && error.name === "Fault" && "code" in error;

/** Converts anything thrown to a fault. System errors are reworded: their own text may name paths outside the roots. */
export function toFault(error: unknown): Fault {
  if (isFault(error)) return error;
  const errno = errnoOf(error);
  const isSystem = errno !== undefined && error instanceof Error && "syscall" in error;
  const state = isSystem ? (OUT_OF_DESCRIPTORS[errno] ?? `the system says ${errno}`) : String(error);
  return new Fault("io", `Cannot complete the call: ${state}`, {}, error);
}

/** Says in words that no descriptor is left, for this process or for the machine. */
export const OUT_OF_DESCRIPTORS: Readonly<Record<string, string>> = {
  EMFILE: "too many files are open",
  ENFILE: "too many files are open on this machine",
};

export const hasCode = (error: unknown, ...codes: readonly Code[]): error is Fault =>
  isFault(error) && codes.includes(error.code);

/** Returns what a caller gets of a fault, as data. */
export const answerOf = ({ code, message, details }: Fault): FaultAnswer => ({
  code,
  message,
  hint: CODES[code].hint,
  ...details,
});

/** Restores the fault from an answer. */
export function faultOf(answer: FaultAnswer): Fault {
  const { code, message, hint, ...details } = answer;
  return new Fault(code, message, hint === CODES[code].hint ? details : { ...details, hint });
}

export interface FaultAnswer {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
  readonly [detail: string]: unknown;
}
