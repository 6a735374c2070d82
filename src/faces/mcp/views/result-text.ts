import type { ToolResult } from "./host.ts";

/** Joins the texts of a result. */
export const textIn = ({ content = [] }: ToolResult): string =>
  content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");

/** Returns the fault of a failed call. */
export const faultIn = ({ _meta: meta }: ToolResult): Readonly<Record<string, unknown>> | undefined =>
  meta?.["holdfast/error"] as Readonly<Record<string, unknown>> | undefined;

export const stringIn = (values: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined => {
  const value = values?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};
