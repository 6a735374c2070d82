import type { ImageLimits } from "../../../base/image-limits.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import { isSvg, SVG_MIME } from "../../../content/images/is-svg.ts";
import type { Media } from "../../../content/media.ts";
import type { MediaPresenter } from "../../../workspace/read/read-file.ts";
import type { ContentInput } from "./input.ts";

/** Creates what shows media in one call. Most calls read text: everything that knows formats is loaded lazily. */
export function createMediaPresenter(
  input: ContentInput,
  configured: () => Partial<ImageLimits>,
  checkpoint: Checkpoint,
): MediaPresenter {
  return {
    renders: input.as === "image",
    renderedAs: (head) => (isSvg(head) ? SVG : undefined),
    takes: (media, head) => media.kind !== "other" || (SHOWN.test(media.mime) && head.includes(0)),
    async show(media, source) {
      if (!media.mime.startsWith("image/")) return (await import("./playable-view.ts")).playableView(media, source);
      const context = { limits: imageLimits(configured), checkpoint };
      const { imageView, svgView } = await import("./image-view.ts");
      return media === SVG ? svgView(source, input, context) : imageView(media, source, input, context);
    },
  };
}

/** Returns the limits of images in one call. */
export const imageLimits = (configured: () => Partial<ImageLimits>): ImageLimits => ({
  maxDimensionPx: LIMITS.imageDimensionPx,
  maxBytes: LIMITS.imageBytes,
  ...configured(),
});

const SVG: Media = { kind: "image", mime: SVG_MIME };

/** Matches media whose headers are read, or that can be described. A text may begin like some of them. */
const SHOWN = /^(?:audio|video)\/|^image\/(?:avif|bmp|hei[cf](?:-sequence)?|tiff)$/;
