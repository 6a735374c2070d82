import * as z from "zod";
import { Fault, isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { DIALECT_NAMES } from "../dialects/load.ts";
import { jsonSchemaOf, listedInput } from "../schema/listed-schema.ts";
import { BUILTIN_TOOLS } from "../tools/index.ts";
import { issueTextOf } from "../text/issue-text.ts";
import type { Tool } from "../tools/tool.ts";
import type { CheckedPlugin, Plugin } from "./plugin.ts";
import { guardedTool } from "./guarded-tool.ts";

/** Holds an unchecked plugin, and the file that it comes from. */
export interface FoundPlugin {
  readonly from: string;
  readonly plugin: unknown;
}

/** Returns the plugins that can be used, and warns of the others. Of two with the same name, the first stays. */
export function checkedPlugins(
  found: readonly FoundPlugin[],
  warn: (message: string) => void,
): readonly CheckedPlugin[] {
  const taken: TakenNames = { ids: new Set(), servers: new Set(), dialects: new Set(DIALECT_NAMES) };
  return found.flatMap(({ from, plugin }) => {
    try {
      return withoutTakenNames(parsePlugin(plugin), taken, warn);
    } catch (error) {
      warn(`Skipped the plugin ${from}: ${isFault(error) ? error.message : String(error)}`);
      return [];
    }
  });
}

/** Throws where a plugin is invalid. */
function parsePlugin(plugin: unknown): Plugin {
  const parsed = shape.safeParse(plugin);
  if (!parsed.success) throw invalidPluginFault(problemIn(parsed.error.issues, plugin));
  const { id, tools = [] } = plugin as Plugin;
  if (RESERVED_NAMES.has(id)) throw invalidPluginFault(`its id ${JSON.stringify(id)} is the name of a tool`);
  tools.forEach(requireJsonSchemas);
  return plugin as Plugin;
}

const isSchema = (value: unknown): boolean => value instanceof z.ZodObject;
const schema = z.custom<z.ZodObject>(isSchema, { error: "is no object schema of zod 4" });
const code = z.custom<unknown>((value) => typeof value === "function", { error: "is no function" });

const tool = z.looseObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  title: z.string().min(1),
  description: z.string().min(1),
  annotations: z.looseObject({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
  input: schema,
  output: schema,
  plan: code,
});

const dialect = z.looseObject({
  name: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/),
  tools: z.array(
    z.looseObject({
      name: z.string().min(1),
      title: z.string(),
      description: z.string(),
      input: schema,
      uses: z.array(z.string()),
      run: code,
    }),
  ),
  answerFault: code,
});

const server = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  directory: z.string().min(1).optional(),
  timeoutMs: z.int().min(1).max(LIMITS.mountedCallMsMost).optional(),
  optional: z.boolean().optional(),
});

const shape = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/),
  tools: z.array(tool).optional(),
  dialect: dialect.optional(),
  servers: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/), server).optional(),
  storages: z.record(z.string().regex(/^[a-z][a-z0-9+.-]{0,31}$/), code).optional(),
});

function problemIn([issue]: readonly z.core.$ZodIssue[], plugin: unknown): string {
  const { path, must, message } = issueTextOf(issue as z.core.$ZodIssue, plugin);
  const place = path.join(".");
  if (must === undefined) return place === "" ? message : `its ${place}: ${message}`;
  return place === "" ? `it ${must}` : `its ${place} ${must}`;
}

/** Lists names that have another meaning in lists of tools. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(
  BUILTIN_TOOLS.flatMap(({ name, otherNames = [] }: Tool) => [name, ...otherNames]),
);

/** Throws for a schema that cannot be shown, since it would break the whole list of tools. */
function requireJsonSchemas({ name, input, output }: Tool): void {
  try {
    listedInput(input);
    jsonSchemaOf(output);
  } catch (error) {
    throw invalidPluginFault(`a schema of its tool ${name} cannot be shown: ${String(error)}`);
  }
}

const invalidPluginFault = (says: string): Fault => new Fault("invalid_input", says);

interface TakenNames {
  readonly ids: Set<string>;
  readonly servers: Set<string>;
  readonly dialects: Set<string>;
}

function withoutTakenNames(
  plugin: Plugin,
  taken: TakenNames,
  warn: (message: string) => void,
): readonly CheckedPlugin[] {
  const { id, tools = [], dialect: ownDialect, servers = {}, storages } = plugin;
  const isFree = (what: string, name: string, names: Set<string>): boolean => {
    const isNew = !names.has(name);
    if (!isNew) warn(`Skipped the ${what} ${JSON.stringify(name)} of the plugin "${id}": there is one of that name`);
    names.add(name);
    return isNew;
  };
  if (taken.ids.has(id)) throw invalidPluginFault(`there is one of the id ${JSON.stringify(id)}`);
  taken.ids.add(id);
  const usableServers = Object.entries(servers).filter(([name]) => isFree("server", name, taken.servers));
  const isDialectFree = ownDialect && isFree("dialect", ownDialect.name, taken.dialects);
  const kept: Plugin = {
    id,
    tools: tools.map((each) => guardedTool(each, id)),
    servers: Object.fromEntries(usableServers),
    ...(isDialectFree && { dialect: ownDialect }),
    ...(storages && { storages }),
  };
  return [kept as CheckedPlugin];
}
