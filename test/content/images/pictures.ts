import sharp, { type Sharp } from "sharp";

/** A picture of two halves, so that turning and cropping shows: red on the left, blue on the right. */
export const halves = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: "#00f" } }).composite([
    {
      input: { create: { width: Math.floor(width / 2), height, channels: 3, background: "#f00" } },
      left: 0,
      top: 0,
    },
  ]);

/** A picture that does not compress, and is the same in every run. */
export function noise(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0, state = 1; at < pixels.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    pixels[at] = state >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** EXIF data of a photo that was taken at a place. */
export const PHOTO_EXIF = {
  IFD0: { Make: "Acme", Model: "Acme One" },
  IFD2: { DateTimeOriginal: "2024:05:01 12:33:11" },
  IFD3: {
    GPSLatitudeRef: "N",
    GPSLatitude: "48/1 51/1 30/1",
    GPSLongitudeRef: "W",
    GPSLongitude: "2/1 17/1 0/1",
  },
};
