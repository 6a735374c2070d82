import { PRODUCT } from "../../base/product.ts";

/** What the server says of itself. */
export const ABOUT = {
  capabilities: { tools: {}, resources: {}, completions: {} },
  serverInfo: { name: PRODUCT.name, title: PRODUCT.title, version: PRODUCT.version },
  instructions:
    "Paths are absolute, or relative to the roots; the session tool names them. A cut answer says how to go on.",
};
