import * as z from "zod";
import { LIMITS } from "../base/limits.ts";
import { SECRETS_MODES, TEMPLATE_NAMES } from "../base/verdicts.ts";
import { rule } from "./rule.ts";

const names = z.array(z.string().min(1).max(LIMITS.argumentChars));

const lists = {
  allow: names.optional().describe("Only these tools; empty means all. Names, group:…, or globs with *"),
  alsoAllow: names.optional().describe("These as well, beside what the profile has; not together with allow"),
  deny: names.optional().describe("Never these: deny wins"),
};

const profile = z
  .enum(["minimal", "readonly", "files", "coding", "messaging", "full"])
  .optional()
  .describe("A named set of tools to begin with");

const scope = z.strictObject({ profile, ...lists });

const provided = {
  ...scope.shape,
  byProvider: z
    .record(z.string(), scope)
    .optional()
    .describe(
      'The same for one provider, such as "openai", or one model, such as "openai/gpt-5.2"; "*": for all others',
    ),
};

const exec = z.strictObject({
  host: z.enum(["sandbox", "gateway", "node"]).optional(),
  security: z.enum(["deny", "allowlist", "full"]).optional(),
  ask: z.enum(["off", "on-miss", "always"]).optional(),
  pathPrepend: names.optional().describe("Directories to put before PATH"),
  safeBins: names.optional().describe("Programs that need no approval"),
  backgroundMs: z.int().min(0).optional().describe("After how long a command goes on in the background"),
  timeoutSec: z.int().min(1).optional(),
  applyPatch: z
    .strictObject({
      enabled: z.boolean().optional(),
      workspaceOnly: z.boolean().optional(),
      allowModels: names.optional().describe("Only these models; with their provider or without"),
    })
    .optional(),
});

const fs = z.strictObject({ workspaceOnly: z.boolean().optional().describe("Files only inside the roots") });

const threshold = z.int().min(1).optional();

const loopDetection = z.strictObject({
  enabled: z.boolean().optional(),
  historySize: threshold.describe("Calls that are remembered (30)"),
  warningThreshold: threshold.describe("Repetitions after which the model is warned (10)"),
  criticalThreshold: threshold.describe("Repetitions after which the call is refused (20)"),
  globalCircuitBreakerThreshold: threshold.describe("Repetitions after which the session stops (30)"),
  detectors: z
    .strictObject({
      genericRepeat: z.boolean().optional(),
      knownPollNoProgress: z.boolean().optional(),
      pingPong: z.boolean().optional(),
    })
    .optional(),
});

const tools = z.strictObject({
  ...provided,
  exec: exec.optional(),
  fs: fs.optional(),
  loopDetection: loopDetection.optional(),
  sandbox: z.strictObject({ tools: z.strictObject(lists).optional() }).optional(),
  subagents: z
    .strictObject({ tools: z.strictObject(lists).optional(), maxSpawnDepth: z.int().min(1).optional() })
    .optional(),
});

const agentTools = z.strictObject({
  ...provided,
  elevated: z
    .strictObject({ enabled: z.boolean().optional(), allowFrom: z.record(z.string(), names).optional() })
    .optional(),
  exec: exec.optional(),
  fs: fs.optional(),
});

const hookCommand = z.strictObject({
  command: z
    .array(z.string().min(1))
    .min(1)
    .describe("A program and its arguments; no shell. Gets the call as JSON, may answer with JSON"),
  tools: names.optional().describe("Only for these tools. Names, group:…, or globs with *"),
  timeoutMs: z.int().min(1).max(LIMITS.hookMs).optional().describe("After which it has failed (10000)"),
});

export type HookCommand = z.output<typeof hookCommand>;

/** Everything that a configuration file may say. This is also the documentation: schema/ is made of it. */
export const config = z.strictObject({
  $schema: z.string().optional(),
  roots: z.array(z.string().min(1)).optional().describe("Directories that the agent may use"),
  sources: z
    .record(z.string().min(1), z.string().min(1))
    .optional()
    .describe("More directories, each with a name that the tools of fractary know it by"),
  dialect: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Speak as another system: capabilities, fractary, mcp-filesystem, picoclaw or one of a plugin; without it natively",
    ),
  readOnly: z.boolean().optional().describe("Nothing can be changed"),
  contextWindow: z.int().min(1).optional().describe("Tokens that the model can hold; sets the size of a page"),
  durability: z.enum(["process", "power"]).optional().describe("What a change survives"),
  trashHours: z.int().min(1).optional().describe("How long what is deleted can be brought back"),
  stateDirectory: z.string().min(1).optional().describe("Where history, trash and the audit log live"),
  secrets: z
    .enum(SECRETS_MODES)
    .optional()
    .describe("Where secrets are shown as handles: on, in files made for them; strict, in all files; off, nowhere"),
  hooks: z
    .strictObject({
      beforeCall: z
        .array(hookCommand)
        .optional()
        .describe('May answer {"block": "why"} or {"input": {…}}; when it fails the call is refused'),
      afterCall: z.array(hookCommand).optional().describe("Is told what came of a call"),
    })
    .optional()
    .describe("Programs that are asked before and told after every call"),
  secretNames: names
    .optional()
    .describe("Names whose values are secret whatever they look like, also in the environment"),
  alerts: z
    .strictObject({
      webhook: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe("Where alerts are posted as JSON"),
      command: z
        .tuple([z.string().min(1)], z.string())
        .optional()
        .describe("A program, by its full path, and its arguments; reads the alert as JSON on standard input"),
    })
    .optional()
    .describe("How people are told what an agent wants them to know, besides standard error and the audit log"),
  audit: z
    .strictObject({
      required: z
        .boolean()
        .optional()
        .describe("Nothing can be changed while the audit log cannot be written (true); reading always goes on"),
    })
    .optional(),
  plugins: z
    .array(z.string().min(1))
    .optional()
    .describe(
      "Modules that add tools, a dialect or MCP servers; each is code that runs with all that this program may do",
    ),
  policy: z
    .strictObject({
      template: z
        .enum(TEMPLATE_NAMES)
        .optional()
        .describe("What holds where none of the rules here speaks; personal is built in"),
      rules: z.array(rule).max(LIMITS.rulesPerFile).optional(),
    })
    .optional()
    .describe("What a call may do"),
  approvals: z
    .strictObject({
      waitSeconds: z
        .int()
        .min(0)
        .max(600)
        .optional()
        .describe(
          "How long a call waits for a yes before it says that it is pending (50); clients often give up after 60",
        ),
      webhook: z
        .strictObject({
          url: z
            .url({ protocol: /^https?$/ })
            .describe("Where questions are posted as JSON, each with a link that answers it"),
          port: z
            .int()
            .min(1)
            .max(65_535)
            .optional()
            .describe("Where the links lead to on this machine while a question is open; any free port when absent"),
          link: z
            .url({ protocol: /^https?$/ })
            .optional()
            .describe("What links begin with instead, where a proxy or tunnel leads from there to the port"),
        })
        .refine(({ link, port }) => link === undefined || port !== undefined, "link needs a port for it to lead to")
        .optional(),
    })
    .optional()
    .describe("How a yes is asked for, where the rules want one"),
  tools: tools.optional().describe("Which tools a session sees, and how they behave"),
  agents: z
    .record(z.string(), z.strictObject({ tools: agentTools.optional() }))
    .optional()
    .describe('What one agent sees, by its id; "*": every agent without an entry of its own'),
  groups: z
    .record(z.string(), z.strictObject({ tools: z.strictObject(lists).optional() }))
    .optional()
    .describe('What is seen in one group of people, by its id; "*": in every group without an entry of its own'),
});

export type Config = z.output<typeof config>;
