import type { z } from "zod";
import type { BuiltinTools } from "../../app/app.ts";
import type { FaultAnswer } from "../../base/errors.ts";

type BuiltinTool = BuiltinTools[number];
type Named<Name extends ToolName> = Extract<BuiltinTool, { readonly name: Name }>;

/** The native tools. */
export type ToolName = BuiltinTool["name"];

/** What a native tool takes. */
export type ToolInput<Name extends ToolName> = z.input<Named<Name>["input"]>;

/** What a native tool gives back as data. */
export type ToolOutput<Name extends ToolName> = z.output<Named<Name>["output"]>;

/** Of tools that are not native nothing is known beforehand. */
export type InputOf<Name extends string> = Name extends ToolName ? ToolInput<Name> : unknown;
export type OutputOf<Name extends string> = Name extends ToolName
  ? ToolOutput<Name>
  : Readonly<Record<string, unknown>>;

/** A tool of a dialect may word its errors as its system does; `error` of the result is there for all of them. */
export type ErrorOf<Name extends string> = Name extends ToolName ? FaultAnswer : unknown;
