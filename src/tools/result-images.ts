import { LIMITS } from "../base/limits.ts";
import type { Block } from "./tool.ts";

/** Limits the images in the result of a tool. Missing keys have the documented defaults. */
export interface ImageSanitizationLimits {
  /** Limits the longest edge in pixels; the default is 1200. */
  readonly maxDimensionPx?: number | undefined;
  /** Limits the bytes of one image as base64; the default is 5 MiB. */
  readonly maxBytes?: number | undefined;
}

/** The parts of a result that are read and replaced here; a result may have others. */
interface ResultWithContent {
  readonly content: readonly { readonly type: string }[];
}

interface ImageContent {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/**
 * Makes the images in the result of a tool fit: too large ones are made smaller, wrong MIME types are corrected, and
 * what cannot be shown becomes a text that says why. Everything else stays as it is. Takes what `execute` of an
 * `AgentTool` returns, and results of MCP servers.
 */
export async function sanitizeToolResultImages<Result extends ResultWithContent>(
  result: Result,
  limits: ImageSanitizationLimits = {},
): Promise<Result> {
  if (!result.content.some(isImage)) return result;
  const content: unknown[] = [];
  for (const part of result.content) content.push(isImage(part) ? await fittedContent(part, limits) : part);
  return { ...result, content };
}

const isImage = (part: { readonly type: string }): part is ImageContent =>
  part.type === "image" && "data" in part && typeof part.data === "string";

async function fittedContent(part: ImageContent, limits: ImageSanitizationLimits): Promise<object> {
  const fitted = await fittedImage(part.data, limits);
  if (fitted.kind === "unchanged") return part.mimeType === fitted.mime ? part : { ...part, mimeType: fitted.mime };
  return fitted.kind === "omitted"
    ? { type: "text", text: `[image omitted: ${fitted.reason}]` }
    : { ...part, data: fitted.data, mimeType: fitted.mime };
}

/** Does the same for the blocks that a tool of a plugin or of a mounted server returns. */
export async function withImagesThatFit(
  blocks: readonly Block[],
  tool: string,
  limits: ImageSanitizationLimits,
): Promise<readonly Block[]> {
  if (!blocks.some(({ kind }) => kind === "image")) return blocks;
  const fitting: Block[] = [];
  for (const block of blocks) {
    const fitted = block.kind === "image" ? await fittedImage(block.data, limits) : undefined;
    if (block.kind !== "image" || !fitted) fitting.push(block);
    else if (fitted.kind === "omitted")
      fitting.push({ kind: "text", text: `[${tool}: image omitted: ${fitted.reason}]` });
    else fitting.push({ ...block, mime: fitted.mime, ...(fitted.kind === "fitted" && { data: fitted.data }) });
  }
  return fitting;
}

/** Loads what reads images when there is one. */
async function fittedImage(data: string, given: ImageSanitizationLimits) {
  const { maxDimensionPx = LIMITS.resultImageDimensionPx, maxBytes = LIMITS.resultImageBytes } = given;
  const { fitBase64 } = await import("../content/images/fit-base64.ts");
  return fitBase64(data, { maxDimensionPx, maxBytes });
}
