import type { Encoding } from "./detect.ts";
import { decode } from "./encoding.ts";
import { BOM } from "../text-lines.ts";

/** The encoding, byte-order mark and line endings of a file. */
export interface TextFormat {
  readonly label: string;
  /** Is true if the file starts with a byte-order mark. */
  readonly hasBom: boolean;
  /** Is true if every line that was examined ends with CRLF. */
  readonly isCrlf: boolean;
}

/** Detects the format from the start of a file. */
export function textFormatOf(head: Uint8Array, { label, bomBytes }: Encoding): TextFormat {
  const text = decode(head, label);
  return { label, hasBom: bomBytes > 0, isCrlf: text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text) };
}

/** Converts a text to the format, unless it has line endings or a byte-order mark of its own. */
export function inTextFormat(text: string, { hasBom, isCrlf }: TextFormat): string {
  const ended = isCrlf && !text.includes("\r") ? text.replaceAll("\n", "\r\n") : text;
  return hasBom && !ended.startsWith(BOM) ? BOM + ended : ended;
}

/** Describes the format in words. */
export const textFormatNamed = ({ label, hasBom, isCrlf }: TextFormat): string =>
  [label, ...(hasBom ? ["with a byte-order mark"] : []), ...(isCrlf ? ["with CRLF"] : [])].join(" ");
