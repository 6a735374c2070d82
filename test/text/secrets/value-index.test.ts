import fc from "fast-check";
import { expect, it } from "vitest";
import { createValueIndex, type SharedPart, WINDOW } from "../../../src/text/secrets/value-index.ts";

function sharedWith(
  values: readonly string[],
  text: string,
  mustMatch: (from: number) => boolean,
): readonly SharedPart[] {
  const index = createValueIndex();
  for (const value of values) index.add({ spelled: value, value, placeholder: value });
  const found: SharedPart[] = [];
  index.find(
    text,
    (_, from) => mustMatch(from),
    (shared) => found.push(shared) > 0,
  );
  return found;
}

const windowsOf = (text: string): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - WINDOW + 1) }, (_, at) => text.slice(at, at + WINDOW));

/** Few letters, so that values share much with each other and with themselves; two of them end in the same byte. */
const letters = fc.constantFrom("a", "b", "\u0161");
const texts = (least: number, most: number) => fc.string({ unit: letters, minLength: least, maxLength: most });
const values = fc.array(texts(WINDOW, 20), { minLength: 1, maxLength: 4 });

it("finds all that a text shares with values, and nothing else", () => {
  fc.assert(
    fc.property(values, texts(0, 120), (known, text) => {
      const found = sharedWith(known, text, () => true);
      for (const { spelling, from, start, end } of found)
        expect(text.slice(start, end)).toBe(spelling.spelled.slice(from, from + end - start));
      const windows = new Set(known.flatMap(windowsOf));
      for (const [at, window] of windowsOf(text).entries()) {
        const isReported = found.some(({ start, end }) => start <= at && at + WINDOW <= end);
        expect(isReported, `${window} at ${at}`).toBe(windows.has(window));
      }
    }),
    { numRuns: 500 },
  );
});

it("finds every place where a value begins, and how far it goes on", () => {
  fc.assert(
    fc.property(values, texts(0, 120), (known, text) => {
      const found = sharedWith(known, text, (from) => from === 0);
      const reported = new Set(found.map(({ spelling, start, end }) => `${spelling.value} ${start} ${end}`));
      const expected = new Set<string>();
      for (const value of known)
        for (const [start, window] of windowsOf(text).entries()) {
          if (!value.startsWith(window)) continue;
          let end = start + WINDOW;
          while (end - start < value.length && text[end] === value[end - start]) end++;
          expected.add(`${value} ${start} ${end}`);
        }
      expect(reported).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
