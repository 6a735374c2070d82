import * as zod from "zod";
import { Fault } from "../base/errors.ts";
import { dialectTool, textAnswer } from "../dialects/dialect.ts";
import { objectStorage } from "../storage/objects/object-storage.ts";
import { ADDITIVE, answer, defineTool, DESTRUCTIVE, OUTWARD, outward, READ_ONLY } from "../tools/tool.ts";
import { readWholeText } from "../tools/whole-text.ts";

/** Selects the part of zod that plugins get. All of it would slow down every start; a plugin can import the rest. */
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

/** Holds everything that a plugin file needs, wherever it lies. */
export const PLUGIN_KIT = {
  defineTool,
  answer,
  outward,
  readWholeText,
  READ_ONLY,
  ADDITIVE,
  DESTRUCTIVE,
  OUTWARD,
  dialectTool,
  textAnswer,
  objectStorage,
  Fault,
  z,
};

export type PluginKit = typeof PLUGIN_KIT;
