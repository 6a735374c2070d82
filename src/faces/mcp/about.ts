import { PRODUCT } from "../../base/product.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";

/** What the server says of itself. */
export const aboutOf = ({ instructions, files, onToolsChanged }: Surface) => ({
  capabilities: {
    tools: { ...(onToolsChanged && { listChanged: true }) },
    ...(files && { resources: { subscribe: true }, completions: {}, logging: {} }),
  },
  serverInfo: { name: PRODUCT.name, title: PRODUCT.title, version: PRODUCT.version },
  ...(instructions !== undefined && { instructions }),
});
