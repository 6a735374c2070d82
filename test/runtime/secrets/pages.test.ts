import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { callerOn, type Caller, scratch } from "../scratch.ts";

const KEY = ["AKIA", "QWERTYUIOPASDFGH"].join("");
const PASSPHRASE = "correct, horse battery staple";
const ENV = `PORT=3000\nPASSPHRASE="${PASSPHRASE}"\nAWS_ID=${KEY}\nNOTE=für später\n`;
const MASKED = 'PORT=3000\nPASSPHRASE="‹secret:PASSPHRASE#1›"\nAWS_ID=‹secret:AWS_KEY#1›\nNOTE=für später\n';

/** Long enough that no word of a page is taken for part of a secret. */
const PARTS = [KEY, PASSPHRASE].flatMap((value) =>
  Array.from({ length: value.length - 5 }, (_, at) => value.slice(at, at + 6)),
);

/** A way to read a file in pages: the first request, and the next one after an answer. */
interface Paging {
  readonly name: string;
  readonly first: object;
  next(data: Readonly<Record<string, unknown>>): object | undefined;
}

const offsetOf = ({ next_offset: offset }: Readonly<Record<string, unknown>>): object | undefined =>
  offset === undefined ? undefined : { offset };
const cursorOf = ({ cursor }: Readonly<Record<string, unknown>>): object | undefined =>
  cursor === undefined ? undefined : { cursor };

const PAGINGS: readonly Paging[] = [
  { name: "one line a page", first: { limit: 1 }, next: offsetOf },
  { name: "one line a page, by cursor", first: { limit: 1 }, next: cursorOf },
  { name: "lines cut in the middle, by cursor", first: { max_bytes: 64 }, next: cursorOf },
  ...[1, 5, 7, 11].map((limit) => ({
    name: `${limit} bytes a page`,
    first: { unit: "bytes", limit },
    next: offsetOf,
  })),
  { name: "bytes, by cursor", first: { unit: "bytes", limit: 9 }, next: cursorOf },
];

async function pagesOf(caller: Caller, path: string, { first, next }: Paging): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let wanted: object | undefined = {}; wanted !== undefined;) {
    const { data } = await caller("read", { path, ...first, ...wanted });
    pages.push(String(data["content"]));
    wanted = next(data);
  }
  return pages;
}

const expectNoParts = (pages: readonly string[]): void => {
  for (const page of pages) for (const part of PARTS) expect(page).not.toContain(part);
};

const FORMS = [
  { name: "UTF-8", bytes: Buffer.from(ENV), masked: MASKED },
  { name: "CRLF", bytes: Buffer.from(ENV.replaceAll("\n", "\r\n")), masked: MASKED.replaceAll("\n", "\r\n") },
  { name: "UTF-16", bytes: Buffer.from(`\ufeff${ENV}`, "utf16le"), masked: `\ufeff${MASKED}` },
  { name: "Latin-1", bytes: Buffer.from(ENV, "latin1"), masked: MASKED },
];

describe.each(FORMS)("pages of $name", ({ bytes, masked }) => {
  it.each(PAGINGS)("give back what may be shown, and no part of a secret: $name", async (paging) => {
    const pages = await pagesOf(callerOn(scratch({ ".env": bytes }), { loopDetection: false }), ".env", paging);
    expectNoParts(pages);
    expect(pages.join("")).toBe(masked);
  });
});

/** A file that is masked in pieces, with a secret where a piece would end by its size alone. */
describe.each([
  { name: "between lines", filler: `${"x".repeat(63)}\n` },
  { name: "in one line of words", filler: "xyz " },
  { name: "in one line without a space", filler: "x;" },
  { name: "in one line that is not ASCII", filler: "üx;" },
])("a piece that ends $name", ({ filler }) => {
  const SECRETS = [
    { name: "a key", text: `AWS_ID=${KEY};`, shown: "AWS_ID=‹secret:AWS_KEY#1›;" },
    { name: "quoted words", text: `"password": "${PASSPHRASE}";`, shown: '"password": "‹secret:PASSWORD#1›";' },
    {
      name: "a token after a word",
      text: "Authorization: Bearer abcdefghij0123456789abcdefghij;",
      shown: "Authorization: Bearer ‹secret:BEARER_TOKEN#1›;",
    },
  ];

  it.each(SECRETS)("shows no part of $name", async ({ text, shown }) => {
    const before = filler.repeat(Math.ceil(LIMITS.redactedPieceBytes / Buffer.byteLength(filler)) + 1);
    for (let back = 0; back <= text.length; back += 8) {
      const start = Buffer.from(before).subarray(0, LIMITS.redactedPieceBytes - 2 * back);
      const root = scratch({ "big.env": Buffer.concat([start, Buffer.from(` ${text} ${filler.repeat(100)}`)]) });
      const wanted = { path: "big.env", unit: "bytes", offset: start.length - 40, limit: 160 };
      const { data } = await callerOn(root)("read", wanted);
      expect(data["content"], `${back} bytes before the end`).toContain(shown);
    }
  });
});
