import { PAGE_PATH } from "./paths.ts";
import type { Api } from "../console/api/api.ts";
import type { Person } from "../console/api/endpoint.ts";
import type { Route } from "./routes.ts";

/** Serves people: a page, and the data behind it. */
export interface Console {
  readonly routes: readonly Route[];
  /** Ends what is open. */
  close(): void;
}

/** Loads the console at the first request of a person. */
export function createConsole(person: Person): Console {
  let api: Api | undefined;
  const handle = async (request: Request): Promise<Response> => {
    const { createApi } = await import("../console/api/api.ts");
    api ??= createApi(person);
    return api.handle(request);
  };
  return {
    routes: [
      { path: "/api/", access: "person", handle },
      // The page itself holds no secret: whoever is not logged in sees how to do that.
      ...PAGE_PATHS.map((path): Route => ({ path, access: "open", handle: page })),
    ],
    close: () => api?.close(),
  };
}

const page = async (request: Request): Promise<Response> =>
  (await import("../console/assets.ts")).assetResponse(request);

/** Lists where the files of the page are. */
const PAGE_PATHS = [PAGE_PATH, `${PAGE_PATH}/`, "/console.js", "/console.css", "/favicon.svg"];
