const MIB = 1024 ** 2;

/** Bounds what is read of files that hold more than text. Is part of LIMITS. */
export const ARCHIVE_LIMITS = {
  /** Caps the entries of an archive, and how deep directories in it may be nested. */
  archiveEntries: 250_000,
  archiveDepth: 64,
  /** Caps the bytes that are unpacked of one archive or entry, and that one call packs. */
  archiveUnpackedBytes: 10 * 1024 * MIB,
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
  /** Caps the entries that one call packs or unpacks, and the places where it changes directories that exist. */
  archiveExtractedEntries: 100_000,
  archiveMergedPlaces: 10_000,
  /** Caps the names that an answer of extract or compress lists. */
  archiveNamesListed: 50,
  /** Caps the bytes of a link's target. */
  archiveLinkBytes: 4096,
} as const;
