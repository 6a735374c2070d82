import type { z } from "zod";
import type { BuiltinTools } from "../../app/app.ts";
import type { FaultAnswer } from "../../base/errors.ts";

type BuiltinTool = BuiltinTools[number];
type Named<Name extends ToolName> = Extract<BuiltinTool, { readonly name: Name }>;

/** Names the built-in tools. */
export type ToolName = BuiltinTool["name"];

/** The input of a built-in tool. */
export type ToolInput<Name extends ToolName> = z.input<Named<Name>["input"]>;

/** The structured output of a built-in tool. */
export type ToolOutput<Name extends ToolName> = z.output<Named<Name>["output"]>;

/** Is `unknown` for tools that are not built in: their input is not known at compile time. */
export type InputOf<Name extends string> = Name extends ToolName ? ToolInput<Name> : unknown;
export type OutputOf<Name extends string> = Name extends ToolName
  ? ToolOutput<Name>
  : Readonly<Record<string, unknown>>;

/** Is `unknown` for tools of a dialect, which may shape errors as its system does. All results have `error` as well. */
export type ErrorOf<Name extends string> = Name extends ToolName ? FaultAnswer : unknown;
