const MIB = 1024 * 1024;

/** Bounds what models are shown of images and media. Is part of LIMITS. */
export const IMAGE_LIMITS = {
  /** Caps an image that `read` shows: its longest edge, and its bytes as base64. */
  imageDimensionPx: 2000,
  imageBytes: 4.5 * MIB,
  /** Caps an image in the result of another tool: its longest edge, and its bytes as base64. */
  resultImageDimensionPx: 1200,
  resultImageBytes: 5 * MIB,
  /** Caps the images of one answer together, as base64: clients close the connection at a message of 10 MiB. */
  answerImageBytes: 9 * MIB,
  /** Sets how small these limits can be configured. */
  imageDimensionLeast: 64,
  imageBytesLeast: 16 * 1024,
  /** Caps an image before it is made smaller: its file, its pixels, and the text of an SVG image. */
  imageFileBytes: 64 * MIB,
  imagePixels: 120_000_000,
  svgBytes: 4 * MIB,
  /** Caps the pages of an image that one call shows, and those whose sizes are read. */
  imagePagesShown: 5,
  imagePages: 10_000,
  /** Caps the images that are decoded at the same time, and how long one may take. */
  imagesAtOnce: 2,
  imageMs: 20_000,
} as const;

/** Limits one image: the pixels of its longest edge, and its bytes as base64, which is how they travel. */
export interface ImageLimits {
  readonly maxDimensionPx: number;
  readonly maxBytes: number;
}
