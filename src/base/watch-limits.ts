/** Bounds watches and their events. Is part of LIMITS. */
export const WATCH_LIMITS = {
  /** Caps the watches of one session, and the directories that they watch in all. */
  watches: 64,
  watchedDirectories: 150_000,
  /** Sets the debounce of hints: shorter than a person notices, longer than a save takes. */
  reconcileDelayMs: 20,
  /** Caps the retries for a directory that was hinted at and cannot be opened: it may be on the move. */
  reconcileTries: 5,
  /** Sets how often a missing root is polled for. */
  rootPollMs: 500,
  /** Caps the files whose identity a watch indexes, to recognize them under another name. */
  indexedFiles: 20_000,
  /** Sizes the pool of interned strings of a watch. */
  internedTexts: 1024,
  /** Caps the queued events of one watch, after which some are reported as lost, and the events of one answer. */
  queuedEvents: 20_000,
  eventsPerAnswer: 500,
  /** Sets how long a call waits for events by default and at most, and how often it polls for its cancellation. */
  watchWaitMs: 10_000,
  watchWaitMsMost: 55_000,
  watchPollMs: 80,
  /** Caps the changes of our own that events are compared with. */
  recentEffects: 20_000,
  /** The length of the kernel's event queue where it cannot be read. */
  queuedHints: 16_384,
};
