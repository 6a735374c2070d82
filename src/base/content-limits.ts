import { ARCHIVE_LIMITS } from "./archive-limits.ts";
import { DOCUMENT_LIMITS } from "./document-limits.ts";
import { IMAGE_LIMITS } from "./image-limits.ts";

/** Limits for files that are not text. */
export const CONTENT_LIMITS = { ...IMAGE_LIMITS, ...DOCUMENT_LIMITS, ...ARCHIVE_LIMITS };
