import { Buffer } from "node:buffer";
import { type Directory, directoryAt, openTiff, type Tiff } from "./tiff-directory.ts";

/** Holds what EXIF data tell of a picture. */
export interface ExifFacts {
  readonly orientation?: number;
  readonly camera?: string;
  /** The time on the clock of the camera, which has no time zone: "2024-05-01 12:33:11". */
  readonly taken?: string;
  /** Is in degrees; south and west are negative. */
  readonly location?: { readonly latitude: number; readonly longitude: number };
}

const [MAKE, MODEL, ORIENTATION, EXIF, GPS, TAKEN] = [0x10f, 0x110, 0x112, 0x8769, 0x8825, 0x9003] as const;
const [LATITUDE_REF, LATITUDE, LONGITUDE_REF, LONGITUDE] = [1, 2, 3, 4] as const;

/** Reads EXIF data, a TIFF without pixels. Whatever is broken in them is left out. */
export function exifFacts(bytes: Uint8Array): ExifFacts {
  try {
    const tiff = openTiff(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (!tiff) return {};
    const first = directoryAt(tiff, tiff.first);
    const more = linkedDirectory(tiff, first, EXIF);
    const orientation = orientationIn(first);
    const camera = cameraIn(first);
    const taken = more && takenIn(more);
    const location = locationIn(linkedDirectory(tiff, first, GPS));
    return {
      ...(orientation !== 1 && { orientation }),
      ...(camera !== "" && { camera }),
      ...(taken && { taken }),
      ...(location && { location }),
    };
  } catch (error) {
    if (error instanceof RangeError) return {};
    throw error;
  }
}

/** Returns the orientation, or 1 where there is none that means anything. */
export function orientationIn(directory: Directory): number {
  const value = directory.number(ORIENTATION) ?? 1;
  return value >= 1 && value <= 8 ? value : 1;
}

function linkedDirectory(tiff: Tiff, directory: Directory, tag: number): Directory | undefined {
  const offset = directory.number(tag);
  return offset === undefined ? undefined : directoryAt(tiff, offset);
}

/** Joins make and model; many models begin with the make. */
function cameraIn(directory: Directory): string {
  const make = directory.text(MAKE) ?? "";
  const model = directory.text(MODEL) ?? "";
  return (model.startsWith(make) ? model : `${make} ${model}`).trim();
}

function takenIn(directory: Directory): string | undefined {
  const [, date, time] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)$/.exec(directory.text(TAKEN) ?? "") ?? [];
  return date && time && `${date.replaceAll(":", "-")} ${time}`;
}

function locationIn(directory: Directory | undefined): ExifFacts["location"] {
  const latitude = degreesIn(directory, LATITUDE, LATITUDE_REF, "S");
  const longitude = degreesIn(directory, LONGITUDE, LONGITUDE_REF, "W");
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** Converts degrees, minutes and seconds to degrees. */
function degreesIn(directory: Directory | undefined, tag: number, ref: number, negative: string): number | undefined {
  const [degrees, minutes = 0, seconds = 0] = directory?.fractions(tag) ?? [];
  if (degrees === undefined) return undefined;
  const value = degrees + minutes / 60 + seconds / 3600;
  if (!(value <= 180)) return undefined;
  return Number((directory?.text(ref) === negative ? -value : value).toFixed(6));
}
