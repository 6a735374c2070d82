import type { Encoding } from "./detect.ts";
import { decode } from "./encoding.ts";
import { BOM } from "../text-lines.ts";

/** How a file puts its text into bytes. */
export interface TextFormat {
  readonly label: string;
  /** It starts with a byte-order mark. */
  readonly hasBom: boolean;
  /** Every line of it that was looked at ends with CR and LF. */
  readonly isCrlf: boolean;
}

/** The manner of a file that starts so. */
export function textFormatOf(head: Uint8Array, { label, bomBytes }: Encoding): TextFormat {
  const text = decode(head, label);
  return { label, hasBom: bomBytes > 0, isCrlf: text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text) };
}

/** A text as it is in that manner, where it does not show one of its own. */
export function inTextFormat(text: string, { hasBom, isCrlf }: TextFormat): string {
  const ended = isCrlf && !text.includes("\r") ? text.replaceAll("\n", "\r\n") : text;
  return hasBom && !ended.startsWith(BOM) ? BOM + ended : ended;
}

/** What people call it. */
export const textFormatNamed = ({ label, hasBom, isCrlf }: TextFormat): string =>
  [label, ...(hasBom ? ["with a byte-order mark"] : []), ...(isCrlf ? ["with CRLF"] : [])].join(" ");
