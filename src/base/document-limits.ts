const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds what is read of documents, and the worker that reads them. Is part of LIMITS. */
export const DOCUMENT_LIMITS = {
  /** Caps a document, and what all parts of a zipped one may unpack to. */
  documentBytes: 100 * MIB,
  documentUnpackedBytes: 256 * MIB,
  /** Caps the parts of a zipped document, and the nesting of XML in it. */
  documentEntries: 20_000,
  documentXmlDepth: 256,
  /** Caps the time for one page of a document, after which its worker is ended. */
  documentMs: 20_000,
  /** Caps the memory of the worker: its heap, and what libraries in WebAssembly have. */
  documentHeapMb: 512,
  documentWasmBytes: 512 * MIB,
  /** Sets after how many documents or bytes the worker is replaced, and after how long without work it is ended. */
  documentsPerWorker: 200,
  documentBytesPerWorker: 256 * MIB,
  documentIdleMs: 30_000,
  /** Caps the text that is taken from one document to be searched, and the texts that are cached. */
  documentTextChars: 16 * MIB,
  documentCacheChars: 64 * MIB,
  /** Caps the longer edge of the image of a page, and the images of one answer. */
  pageImagePx: 1600,
  pageImages: 10,
  /** Caps the start of a larger table of delimited text that its columns are taken from. */
  tableSampleBytes: 8 * MIB,
  /** Caps the columns of a table that are described or shown, and the sheets that are named. */
  tableColumns: 256,
  sheetNames: 100,
  /** Caps the formulas of a workbook that are searched for results that an edit makes stale; of more, all are. */
  cellFormulas: 20_000,
  /** Caps the documents that are counted or searched below a directory, and the time to count them. */
  documentsPerSearch: 5000,
  documentCountMs: 50,
} as const;
