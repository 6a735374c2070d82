import * as z from "zod";
import { answerOf, Fault, hasCode, isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";

/** Accepts the path of a file or directory. */
export const pathInput = z.string().max(LIMITS.pathBytes);

/** Accepts one path or several. */
export const pathOrPaths = {
  path: pathInput.optional(),
  paths: z.array(pathInput).min(1).max(LIMITS.pathsPerCall).optional().describe("Several at once"),
};

/** Takes the place of a path that failed in a call with several paths. The other paths keep their answers. */
const failedPath = z.object({
  path: z.string(),
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }),
});

/** Describes the answer for one path, or a list of answers for several. */
export const oneOrMany = <Shape extends z.ZodRawShape>(one: z.ZodObject<Shape>) =>
  z.object({ ...one.partial().shape, files: z.array(z.union([one, failedPath])).optional() });

interface OneOrMany {
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
}

/** Returns the paths of a call in order. */
export function pathsOf({ path, paths }: OneOrMany): readonly string[] {
  if ((path === undefined) !== (paths === undefined)) return paths ?? [path as string];
  throw new Fault("invalid_input", 'Cannot use the arguments: give either "path" or "paths"', { argument: "path" });
}

/** Runs `look` once per path, in order. A failure becomes the answer for that path. */
export async function eachPath<T>(
  paths: readonly string[],
  look: (path: string, index: number) => Promise<T>,
): Promise<(T | FailedPath)[]> {
  const results: (T | FailedPath)[] = [];
  for (const [index, path] of paths.entries())
    results.push(await look(path, index).catch((error) => failureOf(path, error)));
  return results;
}

export type FailedPath = z.output<typeof failedPath>;

function failureOf(path: string, error: unknown): FailedPath {
  if (!isFault(error) || hasCode(error, "cancelled", "approval")) throw error;
  return { path, error: answerOf(error) };
}
