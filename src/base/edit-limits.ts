const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds matching, patches and diffs, and what messages quote of them. Is part of LIMITS. */
export const EDIT_LIMITS = {
  /** Caps what a message quotes of a file: places, lines around the closest one, differences, characters of a line. */
  placesListed: 10,
  closestLines: 12,
  differencesListed: 6,
  quotedLineChars: 160,
  /** Caps the lines compared in one file before a search among look-alikes gives up. */
  matchSteps: 20_000_000,
  /** Caps the characters that are compared loosely to find the closest match of a text that is not there. */
  closestChars: 4 * MIB,
  /** Caps the pairs of lines that are compared to align an edit with the old text. */
  alignedPairs: 1_000_000,
  /** Caps the time of a regular expression search, and of one match for each so many characters of text. */
  regexMs: 1000,
  regexMatchMs: 75,
  regexMatchChars: 2 * 1024 ** 2,
  /** Caps the lines at each end of a hunk that may differ, and how far the hunk may then be from its place. */
  patchFuzz: 2,
  patchFuzzLines: 1000,
  /** Caps the occurrences of a context line that still locates a hunk. */
  anchorLines: 100,

  /** Caps a diff before it is cut. */
  diffLines: 400,
  diffBytes: 24 * KIB,
  /** Caps the diffs of everything that a session changed, in one answer. */
  netDiffChars: 48 * KIB,
  /** Caps the edits and steps of a comparison; then everything between is called rewritten. */
  diffEdits: 1000,
  diffSteps: 400_000_000,
  /** Caps the edits that a merge finds on each side: it compares four times. */
  mergeEdits: 300,
  /** Caps the lines between the first and the last change, in both texts, that are compared at all. */
  diffCompared: 1_000_000,
} as const;
