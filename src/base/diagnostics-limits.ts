const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds language servers, and what answers say of them. Is part of LIMITS. */
export const DIAGNOSTICS_LIMITS = {
  /** Caps the time an edit waits for language servers, by default and as the operator may set it. */
  diagnosticsMs: 3000,
  diagnosticsMsMost: 60_000,
  /** Caps the new errors in one answer, the text of each, and those of a file that are compared. */
  newErrors: 10,
  diagnosticChars: 300,
  comparedErrors: 1000,
  /** Caps the files that language servers are asked about after one change, and the size of each. */
  diagnosedFiles: 16,
  diagnosedBytes: MIB,
  /** Caps the files that one language server has open, and the language servers that run at the same time. */
  openDocuments: 16,
  languageServers: 8,
  /** Caps the time one language server takes for a check, after which it is restarted, and what it sends meanwhile. */
  languageServerMs: 30_000,
  languageServerBytes: 64 * MIB,
  /** Caps the header of a message of a language server. */
  messageHeaderBytes: 4 * KIB,
  /** Sets how long a language server that failed is left alone: doubled with each failure. */
  restartMs: 1000,
  restartMsMost: 60_000,
} as const;
