import * as z from "zod";
import type { App } from "../../../app/app.ts";
import type { Options } from "../../../app/options.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Sessions } from "./sessions.ts";

/** Opens what a person may see and change. */
export interface Person {
  /** Returns everything of the user. Made at the first use. */
  readonly everything: () => App;
  /** Opens some directories with their rules, to change something there. Whoever opened it closes it. */
  readonly within: (directories: readonly string[]) => Promise<App>;
  /** Names the user, who answers questions. */
  readonly who: string;
  /** Holds what the operator set for the agents of the user. */
  readonly options: Options;
}

/** A request of the page. */
export interface ApiCall {
  readonly person: Person;
  readonly app: App;
  readonly sessions: Sessions;
  /** Holds the parts of the path that ":" stands for. */
  readonly names: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** Serves one path with one method. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** A path in which ":" stands for one name. */
  readonly path: string;
  /** Returns the answer: what JSON can hold, or a whole response. Throws a `Fault` to refuse. */
  handle(call: ApiCall): Promise<object>;
}

/** Checks the query or the body of a request. */
export function parsed<Shape>(schema: z.ZodType<Shape>, given: unknown): Shape {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const argument = issue?.path.join(".") ?? "";
  throw new Fault(
    "invalid_input",
    `Cannot use the request: ${argument === "" ? "" : `${argument}: `}${issue?.message}`,
    {
      hint: "Load the page again: it may be older than the server",
    },
  );
}

/** Accepts the id of a session, a change or whatever else we name. */
export const idText = z.string().min(1).max(LIMITS.nameBytes);
export const pathText = z.string().min(1).max(LIMITS.pathBytes);
export const searchText = z.string().max(LIMITS.nameBytes);

/** Accepts a number that stands in a query. */
export const countText = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** Returns the name in the path. */
export const nameOf = ({ names }: ApiCall): string => names[0] ?? "";
