import * as zod from "zod";
import { Fault } from "../base/errors.ts";
import { dialectTool, say } from "../dialects/dialect.ts";
import { ADDITIVE, answer, defineTool, DESTRUCTIVE, OUTWARD, outward, READ_ONLY } from "../tools/tool.ts";
import { wholeText } from "../tools/whole-text.ts";

/** What of zod a plugin is handed. All of it would make every start slower; who needs more imports it. */
const z = {
  array: zod.array,
  boolean: zod.boolean,
  enum: zod.enum,
  int: zod.int,
  literal: zod.literal,
  number: zod.number,
  object: zod.object,
  record: zod.record,
  strictObject: zod.strictObject,
  string: zod.string,
  union: zod.union,
  unknown: zod.unknown,
};

/** All that it takes to write a plugin in a file of its own, wherever that lies. */
export const PLUGIN_KIT = {
  defineTool,
  answer,
  outward,
  wholeText,
  READ_ONLY,
  ADDITIVE,
  DESTRUCTIVE,
  OUTWARD,
  dialectTool,
  say,
  Fault,
  z,
};

export type PluginKit = typeof PLUGIN_KIT;
