const MIB = 1024 ** 2;

/** Bounds what is read of files that hold more than text. Is part of LIMITS. */
export const ARCHIVE_LIMITS = {
  /** Caps the entries of an archive, and how deep directories in it may be nested. */
  archiveEntries: 250_000,
  archiveDepth: 64,
  /** Caps the bytes that are unpacked of one archive, or of one entry, while it is read or listed. */
  archiveUnpackedBytes: 4096 * MIB,
  /** Caps how many times larger than its packed form an entry may be, once it has this many bytes. */
  archiveRatio: 250,
  archiveRatioBytes: 64 * MIB,
  /** Caps the entry that is unpacked into memory; a larger one is unpacked as far as it is read. */
  archiveHeldBytes: 8 * MIB,
  /** Caps the compressed tar archive that is unpacked into memory; a larger one is unpacked again for every file. */
  archiveHeldTarBytes: 32 * MIB,
  /** Sizes the LRU cache of listed archives, caps their entries together, and drops them all when unused for so long. */
  archivesCached: 2,
  archiveEntriesCached: 250_000,
  archiveCacheMs: 30_000,
  /** Caps what one call packs or unpacks: it is held in memory until it is committed. */
  archiveExtractedBytes: 64 * MIB,
  archiveExtractedEntries: 10_000,
  /** Caps the names that an answer of extract or compress lists. */
  archiveNamesListed: 50,
  /** Caps the bytes of a link's target. */
  archiveLinkBytes: 4096,
} as const;
