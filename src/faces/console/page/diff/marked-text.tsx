import type { DiffLine } from "../../contract.ts";
import { markedParts } from "./marked-parts.ts";

/** Shows a line with the words marked that differ from the other side. */
export const MarkedText = ({ line }: { readonly line: DiffLine }) => (
  <>{markedParts(line).map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))}</>
);

export const CLASSES: Readonly<Record<DiffLine["sign"], string>> = { " ": "ctx", "+": "add", "-": "rem" };
