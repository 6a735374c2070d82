import type { ExifFacts } from "./exif.ts";

/** Names the formats whose headers are read here. */
export type ImageFormat = "png" | "jpeg" | "gif" | "webp" | "tiff" | "bmp" | "avif" | "heic";

/** Describes one picture of a file, as it is stored. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
  /** Says by EXIF how the stored pixels are turned: 1 is upright, 5 to 8 swap width and height. */
  readonly orientation: number;
}

/** Describes an image by its header alone. Nothing is decoded, so all of it can be a lie. */
export interface ImageFacts extends PictureSize {
  readonly format: ImageFormat;
  /** Lists the sizes of all pages of a TIFF. */
  readonly pages?: readonly PictureSize[];
  /** Counts the frames of an animation, or the pages. */
  readonly frames: number;
  readonly hasAlpha: boolean;
  /** Is false for colours that models are not given, such as CMYK. */
  readonly isPlain: boolean;
  /** Is false when the end of the file is missing. */
  readonly isComplete: boolean;
  readonly exif: ExifFacts;
  /** Lists ranges with metadata, in order, which can be cut out without decoding anything. */
  readonly metadata: readonly ByteRange[];
}

/** Starts at `start` and ends before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the size as it is seen, with the orientation applied. */
export const uprightSize = ({ width, height, orientation }: PictureSize): Pick<PictureSize, "width" | "height"> =>
  orientation >= 5 ? { width: height, height: width } : { width, height };

/** Fills in what most formats have in common. */
export const COMMON_FACTS = {
  orientation: 1,
  frames: 1,
  hasAlpha: false,
  isPlain: true,
  isComplete: true,
  exif: {},
  metadata: [],
} as const;
