const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds what the console asks for and is shown. Is part of LIMITS. */
export const CONSOLE_LIMITS = {
  /** Caps the body of a request of the page. */
  consoleBodyBytes: 64 * KIB,
  /** Caps the events and changes of one page. */
  consoleEntries: 100,
  consoleEntriesMost: 500,
  /** Caps how much of the audit log one request reads; the cursor goes on from there. */
  consoleScanBytes: 4 * MIB,
  /** Caps the changes that one request looks through for what sessions did. */
  consoleChanges: 5000,
  /** Caps the lines of diffs in one answer, the files that are compared for it, and the characters of a line. */
  consoleDiffLines: 2000,
  consoleDiffFiles: 100,
  /** Changes whose sum is compared at once. */
  consoleCompared: 100,
  consoleLineChars: 4000,
  /** Caps the files that a preview of an undo tries one by one. */
  consoleUndoTries: 100,
  /** Caps the bytes of a session that is saved as a file. */
  consoleExportBytes: 16 * MIB,
  /** Sets how often the state is looked at while somebody watches, and how often a stream reports at most. */
  consolePollMs: 1000,
  consoleReportMs: 250,
  /** Caps the streams of events. */
  consoleStreams: 32,
  /** Sets how long answered questions are shown, and caps how many. */
  consoleAnsweredMs: 60 * 60_000,
  consoleAnswered: 100,
  /** Sets how often the disk is examined at most: the audit log is verified, and the stores are measured. */
  consoleVerifyMs: 60_000,
} as const;
