import { PRODUCT } from "../../base/product.ts";
import { jsonResponse } from "./responses.ts";
import type { Route } from "./routes.ts";

/** Tells monitors that the server answers. Tells nothing else, because it needs no token. */
export const healthRoute: Route = {
  path: "/healthz",
  access: "open",
  handle: () => jsonResponse(200, { status: "ok", name: PRODUCT.name, version: PRODUCT.version }),
};
