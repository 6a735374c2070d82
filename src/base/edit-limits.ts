const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds of editing: what matching, patches and diffs may take, and what messages show of them. Part of LIMITS. */
export const EDIT_LIMITS = {
  /** What a message quotes of a file: places, lines around the closest one, differences, characters of a line. */
  placesListed: 10,
  closestLines: 12,
  differencesListed: 6,
  quotedLineChars: 160,
  /** Lines compared in one file before a search among look-alikes gives up. */
  matchSteps: 20_000_000,
  /** Characters of a file that are compared loosely, to say what comes closest to a text that is not there. */
  closestChars: 4 * MIB,
  /** Pairs of lines that are compared to see what an edit keeps. */
  alignedPairs: 1_000_000,
  /** How long a regular expression may search. */
  regexMs: 1000,
  /** Lines at each end of a hunk that may differ, and how far from its place it may then be. */
  patchFuzz: 2,
  patchFuzzLines: 1000,
  /** A context line that a file has more often than this does not say where a hunk belongs. */
  anchorLines: 100,

  /** A diff shows this much before it is cut. */
  diffLines: 400,
  diffBytes: 24 * KIB,
  /** A comparison looks for this many edits, and takes this many steps, before it calls all between rewritten. */
  diffEdits: 1000,
  diffSteps: 400_000_000,
  /** The edits that a merge looks for on each side: it compares four times. */
  mergeEdits: 300,
  /** Lines between the first and the last change, in both texts, that are compared at all. */
  diffCompared: 1_000_000,
} as const;
