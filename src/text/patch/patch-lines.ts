import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { quoted } from "../quote.ts";
import { contentStart, shortenLine } from "../text-lines.ts";

/** A line of the patch without its line break. `number` counts from 1. */
export interface PatchLine {
  readonly text: string;
  readonly number: number;
  readonly hasReturn: boolean;
}

/**
 * Splits a patch into lines. If all lines end with CRLF, the carriage returns come from the transport; otherwise they
 * belong to the patched files.
 */
export function patchLines(input: string): readonly PatchLine[] {
  const raw = input.slice(contentStart(input)).split("\n");
  if (raw.at(-1) === "") raw.pop();
  if (raw.length > LIMITS.patchLines)
    throw new Fault("too_large", `Cannot read the patch: it has ${raw.length} lines, more than ${LIMITS.patchLines}`, {
      hint: "Split it into several patches, each of whole files",
    });
  const isTransportCrlf = raw.every((line, index) => line.endsWith("\r") || index === raw.length - 1);
  return raw.map((line, index) => {
    const hasReturn = line.endsWith("\r");
    return { text: hasReturn ? line.slice(0, -1) : line, number: index + 1, hasReturn: hasReturn && !isTransportCrlf };
  });
}

/** The position of an error in the patch. */
export interface PatchPlace {
  readonly line: number;
  readonly path?: string | undefined;
  readonly hunk?: number;
}

/** Creates a fault that names file, hunk and line of the patch as far as they are known. */
export function badPatch({ line, path, hunk }: PatchPlace, problem: string): Fault {
  const names = [path && quoted(path), hunk && `hunk ${hunk}`, `line ${line}`].filter((name) => name !== undefined);
  return new Fault("bad_patch", `Cannot read the patch: ${names.join(", ")}: ${problem}`, {
    line,
    ...(path !== undefined && { path }),
    ...(hunk !== undefined && { hunk }),
  });
}

/** Formats the end of a message: the line that was found instead of the expected one. */
export const foundInstead = (line: PatchLine | undefined): string =>
  line === undefined ? "but the patch ends" : `but got "${shortenLine(line.text)}"`;
