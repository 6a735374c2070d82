/** Detects an SVG image by its first element. It is text, and its name counts for nothing. */
export function isSvg(head: Uint8Array): boolean {
  let text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES)).trimStart();
  for (let skipped = PROLOGUE.exec(text); skipped; skipped = PROLOGUE.exec(text))
    text = text.slice(skipped[0].length).trimStart();
  return /^<svg[\s>]/.test(text);
}

/** Sizes the start in which the first element is searched. */
const HEAD_BYTES = 4096;

/** Matches what may come before the first element. */
const PROLOGUE = /^(?:<\?[^>]*>|<!--[^]*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>)/i;

export const SVG_MIME = "image/svg+xml";
