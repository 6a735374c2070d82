import { describe, expect, it } from "vitest";
import * as z from "zod";
import { jsonSchemaOf, listedInput } from "../../src/schema/listed-schema.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";

describe("what a model is shown of arguments", () => {
  it("names, types and meaning; neither bounds nor what is rarely used", () => {
    const input = z.strictObject({
      path: z.string().max(10).default("."),
      limit: z.int().min(1).max(5).optional().describe("At most"),
      order: z.enum(["a", "b"]).default("a"),
      list: z.array(z.string().min(1)).max(3).default([]),
      rare: z.boolean().default(false).meta({ unlisted: true }),
      needed: z.string(),
      either: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .meta({ listed: { type: ["string", "array"] } }),
    });
    expect(listedInput(input)).toEqual({
      type: "object",
      properties: {
        path: { type: "string" },
        limit: { type: "integer", description: "At most" },
        order: { type: "string", enum: ["a", "b"] },
        list: { type: "array", items: { type: "string" } },
        needed: { type: "string" },
        either: { type: ["string", "array"] },
      },
      required: ["needed"],
    });
  });

  it("every tool that has a document is there", () => {
    expect(BUILTIN_TOOLS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(ARGUMENTS)));
  });

  it.each(BUILTIN_TOOLS.filter(({ name }) => name in ARGUMENTS))(
    "$name has every argument of its document",
    ({ name, input }) => {
      expect(Object.keys(input.shape)).toEqual(ARGUMENTS[name]);
      const listed = Object.keys(listedInput(input)["properties"] as object);
      expect(Object.keys(input.shape).filter((key) => !listed.includes(key))).toEqual(UNLISTED[name] ?? []);
    },
  );

  it.each(BUILTIN_TOOLS)("$name says why it leaves arguments out", ({ input }) => {
    const fields = Object.values(input.shape) as readonly z.ZodType[];
    const reasons = fields.flatMap((field) => field.meta()?.["unlisted"] ?? []);
    expect(reasons).toEqual(reasons.map(() => expect.stringMatching(/^[a-z].{10}/)));
  });

  it.each(BUILTIN_TOOLS)("$name describes itself in few words", ({ description, input }) => {
    const words = JSON.stringify([description, listedInput(input)]);
    expect(words.length).toBeLessThan(900);
    expect(words).not.toMatch(/\$schema|additionalProperties|minimum|maximum|default/);
  });
});

/** As on the wire: the order is the one that a model reads. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  apply_patch: ["input", "if_match", "dry_run"],
  copy: ["source", "destination", "overwrite", "create_parents", "if_match", "dry_run"],
  delete: ["path", "recursive", "permanent", "if_match", "dry_run"],
  edit: ["path", "edits", "oldText", "newText", "replaceAll", "regex", "if_match", "dry_run"],
  find: [
    "pattern",
    "path",
    "exclude",
    "type",
    "min_size",
    "max_size",
    "modified_after",
    "modified_before",
    "sort_by",
    "limit",
    "cursor",
    "include_ignored",
    "include_hidden",
    "group_by",
    "duplicates",
  ],
  grep: [
    "pattern",
    "path",
    "glob",
    "exclude",
    "literal",
    "ignoreCase",
    "word",
    "multiline",
    "context",
    "mode",
    "count_by",
    "enclosing",
    "limit",
    "cursor",
    "include_ignored",
    "include_hidden",
    "documents",
  ],
  history: ["path", "session", "since", "limit", "cursor", "net"],
  mkdir: ["path", "dry_run"],
  move: ["source", "destination", "overwrite", "create_parents", "if_match", "dry_run"],
  restore: ["trash_id", "path", "destination", "overwrite", "dry_run"],
  undo: ["change_id", "session", "since", "path", "any_session", "dry_run"],
  watch: ["path", "recursive", "pattern", "event_types", "watch_id", "cursor", "wait_ms", "cancel"],
  write: ["path", "content", "encoding", "append", "overwrite", "create_parents", "if_match", "dry_run"],
  ls: ["path", "sort_by", "times", "include_hidden", "limit", "cursor"],
  read: [
    "path",
    "paths",
    "offset",
    "limit",
    "unit",
    "cursor",
    "max_bytes",
    "encoding",
    "line_numbers",
    "checksum",
    "as",
    "pages",
    "sheet",
    "range",
    "region",
    "location",
  ],
  session: ["approval"],
  stat: ["path", "paths", "checksum"],
  tree: ["path", "depth", "limit", "exclude", "include_ignored", "include_hidden"],
};

const UNLISTED: Readonly<Record<string, readonly string[]>> = {
  apply_patch: ["if_match"],
  copy: ["create_parents"],
  edit: ["oldText", "newText"],
  find: ["min_size", "max_size", "modified_before", "group_by", "duplicates"],
  grep: ["word", "count_by", "documents"],
  history: ["net"],
  move: ["create_parents"],
  undo: ["any_session"],
  watch: ["recursive", "event_types"],
  write: ["create_parents"],
  ls: ["include_hidden"],
  read: ["unit", "max_bytes", "checksum", "as", "pages", "sheet", "range", "region", "location"],
  session: ["approval"],
};

it("a schema of answers keeps what clients check", () => {
  const output = z.object({ name: z.string(), size: z.int().optional(), inner: z.object({ ok: z.boolean() }) });
  expect(jsonSchemaOf(output)).toEqual({
    type: "object",
    properties: {
      name: { type: "string" },
      size: { type: "integer" },
      inner: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
    },
    required: ["name", "inner"],
  });
});
