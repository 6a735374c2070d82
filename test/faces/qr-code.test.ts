import jsQr from "jsqr";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { qrCodeOf } from "../../src/faces/cli/server/qr-code.ts";

/** The dots above each other that one character draws: true is light. */
const DOTS: Readonly<Record<string, readonly [boolean, boolean]>> = {
  "█": [true, true],
  "▀": [true, false],
  "▄": [false, true],
  " ": [false, false],
};
const SCALE = 4;

/** Photographs the terminal. */
function picture(drawn: string) {
  const rows = stripVTControlCharacters(drawn)
    .split("\n")
    .flatMap((line) => [0, 1].map((half) => Array.from(line, (char) => DOTS[char]?.[half] ?? false)));
  const [width, height] = [(rows[0]?.length ?? 0) * SCALE, rows.length * SCALE];
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const shade = rows[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)] ? 255 : 0;
      pixels.set([shade, shade, shade, 255], (y * width + x) * 4);
    }
  return { pixels, width, height };
}

it.each([
  "http://127.0.0.1:4747/login?code=QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODk",
  "https://a-rather-long-name.of-a-tunnel.example.net/login?code=QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODk",
])("a phone reads %s", (link) => {
  const { pixels, width, height } = picture(qrCodeOf(link));
  expect(jsQr.default(pixels, width, height)?.data).toBe(link);
});
