import * as z from "zod";
import { answerOf, Fault, hasCode, isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";

/** An argument that names a file or directory. */
export const pathInput = z.string().max(LIMITS.pathBytes);

/** For tools that take one path or several. */
export const pathOrPaths = {
  path: pathInput.optional(),
  paths: z.array(pathInput).min(1).max(LIMITS.pathsPerCall).optional().describe("Several at once"),
};

/** What stands for one of several paths that failed; the others are not spoiled. */
const failedPath = z.object({
  path: z.string(),
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }),
});

/** The answer for one path, or a list of answers for several. */
export const oneOrMany = <Shape extends z.ZodRawShape>(one: z.ZodObject<Shape>) =>
  z.object({ ...one.partial().shape, files: z.array(z.union([one, failedPath])).optional() });

interface OneOrMany {
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
}

/** The paths a call names, in order. */
export function pathsOf({ path, paths }: OneOrMany): readonly string[] {
  if ((path === undefined) !== (paths === undefined)) return paths ?? [path as string];
  throw new Fault("invalid_input", 'Cannot tell what is meant: give either "path" or "paths"', { argument: "path" });
}

/** Runs one look per path, in order; a failure becomes that path's answer. */
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
