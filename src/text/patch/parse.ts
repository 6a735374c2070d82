import { Fault } from "../../base/errors.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import type { FilePatch } from "./file-patch.ts";
import { isEnvelopeStart, parseEnvelope } from "./envelope.ts";
import { patchLines } from "./patch-lines.ts";
import { isDiffStart, parseUnified } from "./unified.ts";
import { LINES_PER_STEP } from "../text-lines.ts";

/** Parses a patch, either a `*** Begin Patch` envelope or a unified diff, into changes per file, in order. */
export function* parsePatch(input: string): SlicedWork<readonly FilePatch[]> {
  const lines = patchLines(input);
  for (const at of lines.keys()) {
    if (at % LINES_PER_STEP === 0) yield;
    if (isEnvelopeStart(lines, at)) return yield* parseEnvelope(lines, at);
    if (isDiffStart(lines, at)) return yield* parseUnified(lines, at);
  }
  const what =
    input.trim() === "" ? "it is empty" : 'it has neither "*** Begin Patch" nor "--- a/name" and "+++ b/name"';
  throw new Fault("bad_patch", `Cannot read the patch: ${what}`);
}
