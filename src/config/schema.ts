import * as z from "zod";
import { LIMITS } from "../base/limits.ts";
import { EXEC_ASKS, EXEC_HOSTS, EXEC_SECURITIES, SECRETS_MODES, TEMPLATE_NAMES } from "../base/verdicts.ts";
import { rule } from "./rule.ts";
import { server } from "./server.ts";

const names = z.array(z.string().min(1).max(LIMITS.argumentChars));

const lists = {
  allow: names.optional().describe("Only these tools; empty means all. Names, group:…, or globs with *"),
  alsoAllow: names.optional().describe("These in addition to the profile; not together with allow"),
  deny: names.optional().describe("Never these: deny wins"),
};

const profile = z
  .enum(["minimal", "readonly", "files", "coding", "messaging", "full"])
  .optional()
  .describe("A named set of tools to start from");

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

const execSandbox = z.strictObject({
  kind: z
    .enum(["auto", "docker", "bubblewrap", "unshare", "none"])
    .optional()
    .describe("Where commands run; auto: the strongest that works here, without containers"),
  workspace: z
    .enum(["none", "ro", "rw"])
    .optional()
    .describe("What commands may do with the directories (rw); ro also removes write, edit and apply_patch"),
  network: z
    .union([z.enum(["off", "on"]), names])
    .optional()
    .describe(
      '"off" (default), "on", or the hosts that commands may reach: "packages.example.org", "*.example.org:8443"',
    ),
  image: z.string().min(1).optional().describe("The image of the container, for docker"),
  memoryMb: z.int().min(1).optional().describe("The memory of one command"),
  processes: z.int().min(1).optional().describe("The processes and threads of one command (4096 in a sandbox)"),
  fileMb: z.int().min(1).optional().describe("The size of one file that a command writes"),
  cpuSeconds: z.int().min(1).optional().describe("The processor time of one command"),
});

const exec = z.strictObject({
  host: z
    .enum(EXEC_HOSTS)
    .optional()
    .describe("sandbox: confined; gateway: on this machine, as the sandbox settings say; node: not built yet"),
  security: z
    .enum(EXEC_SECURITIES)
    .optional()
    .describe("deny (default): commands are off; allowlist: known harmless ones run, others ask; full: all run"),
  ask: z.enum(EXEC_ASKS).optional().describe("When a person is asked; on-miss is the default"),
  pathPrepend: names.optional().describe("Directories to put before PATH"),
  safeBins: names
    .optional()
    .describe(
      "Programs that run without a question, with plain words that name no path; never those that run code, such as npm",
    ),
  backgroundMs: z.int().min(0).optional().describe("After how long a command continues in the background (10000)"),
  timeoutSec: z.int().min(1).optional().describe("After how long a command is ended (1800)"),
  sandbox: execSandbox.optional().describe("What commands are kept from"),
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
  historySize: threshold.describe("Calls to remember (30)"),
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

const diagnostics = z.strictObject({
  servers: z
    .array(
      z.strictObject({
        command: z
          .tuple(
            [z.string().regex(/^(?:\/.+|[^/]+)$/, "name the program by its full path, or as PATH finds it")],
            z.string(),
          )
          .describe("A language server, by its full path or as PATH finds it, and its arguments; no shell"),
        files: names.min(1).describe('The files it is asked about, as globs such as "*.ts" or "src/**/*.py"'),
      }),
    )
    .describe("Programs that speak the Language Server Protocol on standard input and output"),
  budgetMs: z
    .int()
    .min(1)
    .max(LIMITS.diagnosticsMsMost)
    .optional()
    .describe("How long the answer to a change waits for new errors (3000)"),
  sandbox: z
    .enum(["auto", "none"])
    .optional()
    .describe("auto (default): servers only read the directories and reach no network, where a sandbox works here"),
});

const imageLimits = {
  maxDimensionPx: z
    .int()
    .min(LIMITS.imageDimensionLeast)
    .optional()
    .describe("The longest edge in pixels (read: 2000, results of plugins: 1200)"),
  maxBytes: z
    .int()
    .min(LIMITS.imageBytesLeast)
    .optional()
    .describe("The bytes of one image as base64 (read: 4718592, results of plugins: 5242880)"),
};

const images = z.strictObject({
  ...imageLimits,
  byProvider: z
    .record(z.string(), z.strictObject(imageLimits))
    .optional()
    .describe('The same for one provider, or one model such as "openai/gpt-5.2"; "*": for all others'),
});

const tools = z.strictObject({
  ...provided,
  images: images.optional().describe("How large the images are that models are shown"),
  diagnostics: diagnostics.optional().describe("Report new errors after write, edit and apply_patch"),
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
  timeoutMs: z.int().min(1).max(LIMITS.hookMs).optional().describe("After this time it has failed (10000)"),
});

export type HookCommand = z.output<typeof hookCommand>;

/**
 * The schema of configuration files. The JSON Schema in schema/ is generated from it, and serves as documentation.
 */
export const config = z.strictObject({
  $schema: z.string().optional(),
  roots: z
    .array(z.string().min(1))
    .optional()
    .describe("Directories that the agent may use, and storages such as memory://scratch"),
  sources: z
    .record(z.string().min(1), z.string().min(1))
    .optional()
    .describe("More directories, each with a name for the tools of fractary"),
  dialect: z
    .string()
    .min(1)
    .optional()
    .describe("Offer the tools of another system, such as mcp-filesystem, or of a plugin's dialect; default: our own"),
  readOnly: z.boolean().optional().describe("Refuse all changes"),
  contextWindow: z.int().min(1).optional().describe("The context window of the model in tokens; sets the page size"),
  durability: z
    .enum(["process", "power"])
    .optional()
    .describe("Changes survive the end of a process, or a power cut as well"),
  trashHours: z.int().min(1).optional().describe("How long deleted files are kept"),
  stateDirectory: z.string().min(1).optional().describe("The directory for history, trash and the audit log"),
  secrets: z
    .enum(SECRETS_MODES)
    .optional()
    .describe("Replace secrets by placeholders: on, in files made for them; strict, in all files; off, nowhere"),
  hooks: z
    .strictObject({
      beforeCall: z
        .array(hookCommand)
        .optional()
        .describe('May answer {"block": "why"} or {"input": {…}}; if it fails, the call is refused'),
      afterCall: z.array(hookCommand).optional().describe("Gets the result of a call"),
    })
    .optional()
    .describe("Programs that run before and after every call"),
  secretNames: names.optional().describe("Names whose values are always secret, also in the environment"),
  alerts: z
    .strictObject({
      webhook: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe("The URL that alerts are posted to as JSON"),
      command: z
        .tuple([z.string().min(1)], z.string())
        .optional()
        .describe("A program, by its full path, and its arguments; reads the alert as JSON on standard input"),
    })
    .optional()
    .describe("Where alerts of agents go, besides standard error and the audit log"),
  audit: z
    .strictObject({
      required: z
        .boolean()
        .optional()
        .describe("Refuse changes while the audit log cannot be written (true); reading always works"),
    })
    .optional(),
  plugins: z
    .array(z.string().min(1))
    .optional()
    .describe("Modules that add tools, a dialect or MCP servers; their code runs with all rights of this program"),
  policy: z
    .strictObject({
      template: z
        .enum(TEMPLATE_NAMES)
        .optional()
        .describe("Decides where none of the rules here match; personal is the default"),
      rules: z.array(rule).max(LIMITS.rulesPerFile).optional(),
    })
    .optional()
    .describe("Rules for what calls may do"),
  approvals: z
    .strictObject({
      waitSeconds: z
        .int()
        .min(0)
        .max(600)
        .optional()
        .describe(
          "How long a call waits for an approval before it returns as pending (50); clients often give up after 60",
        ),
      webhook: z
        .strictObject({
          url: z
            .url({ protocol: /^https?$/ })
            .describe("The URL that approval requests are posted to as JSON, each with a link to answer it"),
          port: z
            .int()
            .min(1)
            .max(65_535)
            .optional()
            .describe(
              "The port of this machine that the links lead to while a request is open; default: any free port",
            ),
          link: z
            .url({ protocol: /^https?$/ })
            .optional()
            .describe("The start of the links instead, for a proxy or tunnel that leads to the port"),
        })
        .refine(({ link, port }) => link === undefined || port !== undefined, "link needs a port for it to lead to")
        .optional(),
      socket: z
        .strictObject({
          path: z
            .string()
            .startsWith("/", "path must be absolute")
            .optional()
            .describe("The socket that the program listens on; default: exec-approvals.sock in the state directory"),
          token: z.string().min(1).optional().describe("Tells the program who asks; part of every request"),
        })
        .optional()
        .describe("Ask a program of the user over a Unix socket, by one line of JSON each way"),
    })
    .optional()
    .describe("How approvals are asked for, where the rules require them"),
  server: server.optional().describe("Who may use the server that holdfast up starts"),
  tools: tools.optional().describe("The tools that a session sees, and their settings"),
  agents: z
    .record(z.string(), z.strictObject({ tools: agentTools.optional() }))
    .optional()
    .describe('The tools of one agent, by its id; "*": every agent without an entry of its own'),
  groups: z
    .record(z.string(), z.strictObject({ tools: z.strictObject(lists).optional() }))
    .optional()
    .describe('The tools in one group chat, by its id; "*": every group without an entry of its own'),
});

export type Config = z.output<typeof config>;
