import { styleText } from "node:util";
import { renderUnicodeCompact } from "uqr";

/** Draws a link as a QR code for a phone: light on dark, whatever the colours of the terminal are. */
export const qrCodeOf = (link: string): string =>
  renderUnicodeCompact(link, { border: 2 })
    .split("\n")
    .map((line) => styleText(["whiteBright", "bgBlack"], line))
    .join("\n");
