import { PRODUCT } from "../../base/product.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import { UI_EXTENSION } from "./apps.ts";

/** Describes the server for the handshake: its capabilities, name, version and instructions. */
export const aboutOf = ({ instructions, files, onToolsChanged }: Surface) => ({
  capabilities: {
    tools: { ...(onToolsChanged && { listChanged: true }) },
    ...(files && {
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
      extensions: { [UI_EXTENSION]: {} },
    }),
  },
  serverInfo: { name: PRODUCT.name, title: PRODUCT.title, version: PRODUCT.version },
  ...(instructions !== undefined && { instructions }),
});
