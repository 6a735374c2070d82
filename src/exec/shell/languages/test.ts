/** The meaning of the words of `test` and `[`. */
export interface TestWords {
  readonly reads: readonly string[];
  readonly isCovered: boolean;
}

/**
 * Reads the words of `test`: one test of a file, of a text or of two, perhaps negated. `-v` and `-R` are not covered:
 * they evaluate the subscript of a name. Joined tests are ambiguous and not covered either.
 */
export function readTest(words: readonly string[]): TestWords {
  const [first = "", second = "", third = "", ...more] = words;
  if (first === "!" && words.length > 1) return readTest(words.slice(1));
  if (words.length === 2 && FILE_TESTS.has(first)) return { reads: [second], isCovered: true };
  if (words.length === 2) return { reads: [], isCovered: first === "-n" || first === "-z" };
  if (words.length === 3 && NUMERIC.has(second)) return { reads: [], isCovered: isNumber(first) && isNumber(third) };
  if (words.length === 3 && FILES.has(second)) return { reads: [first, third], isCovered: true };
  return { reads: [], isCovered: words.length === 3 && more.length === 0 && TEXTS.has(second) };
}

/** Names the tests of one file: also those of `[[`. */
export const FILE_TESTS: ReadonlySet<string> = new Set(
  "-e -f -d -s -r -w -x -L -h -b -c -p -S -g -u -k -O -G -N".split(" "),
);

const NUMERIC: ReadonlySet<string> = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const FILES: ReadonlySet<string> = new Set(["-nt", "-ot", "-ef"]);
const TEXTS: ReadonlySet<string> = new Set(["=", "==", "!="]);

const isNumber = (text: string): boolean => /^-?\d+$/.test(text) || text === "$?";
