import type { Buffer } from "node:buffer";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { decodingOf, imageEngine, INSTALL_ENGINE } from "./engine.ts";
import { SVG_MIME } from "./is-svg.ts";
import { checkedRegion, encodedWithin, type FitOptions, type FittedImage } from "./fit.ts";

/** Renders an SVG image or a part of it in its own size, or smaller. The engine loads no other files for it. */
export async function renderSvg(
  bytes: Buffer,
  { limits, checkpoint, region }: FitOptions,
): Promise<{ readonly image: FittedImage; readonly width: number; readonly height: number }> {
  const what = SVG_MIME;
  if (bytes.length > LIMITS.svgBytes)
    throw new Fault("too_large", `Cannot render ${what} of ${bytes.length} bytes: the limit is ${LIMITS.svgBytes}`);
  const engine = await imageEngine();
  if (!engine)
    throw new Fault("not_text", `Cannot render ${what}: rendering it needs the package sharp: ${INSTALL_ENGINE}`, {
      hint: `Ask the user to run: ${INSTALL_ENGINE}`,
    });
  return decodingOf(what, checkpoint, async (deadline) => {
    const { width, height } = await engine(bytes, { limitInputPixels: LIMITS.imagePixels }).metadata();
    const shown = region ? checkedRegion(region, { width, height }, what) : { x: 0, y: 0, width, height };
    const job = { bytes, format: "svg", hasAlpha: true, page: 0, width, height, shown, limits, deadline };
    return { image: await encodedWithin(engine, job, what), width, height };
  });
}
