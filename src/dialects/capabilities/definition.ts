import * as z from "zod";
import type { Code } from "../../base/errors.ts";
import type { Act, Verdict } from "../../base/verdicts.ts";
import type { Definition } from "../../runtime/pipeline/surface.ts";
import { exactSchemaOf } from "../../schema/listed.ts";
import type { Annotations } from "../../tools/tool.ts";
import { type DialectTool, dialectTool, say } from "../dialect.ts";
import type { Native, NativeName } from "../native.ts";

/** Every capability there is. What tells how to recover names one of these: it can always be called. */
export type CapabilityName = `filesystem.${FilesystemName}` | "agent.session" | "alerts.send" | "system.disk_usage";

type FilesystemName =
  | "read"
  | "write"
  | "list"
  | "delete"
  | "restore"
  | "stat"
  | "search"
  | "search_content"
  | "copy"
  | "move"
  | "watch"
  | "append";

/** How much a person has to do with it. Rules may say otherwise; what they block is not listed. */
export type Tier = "autonomous" | "notify" | "approval_required";

export const VERDICT_OF: Readonly<Record<Tier, Verdict>> = {
  autonomous: "autonomous",
  notify: "notify",
  approval_required: "approval",
};

/** A way out of an error: a call that can be made. */
export interface Recovery {
  readonly action: string;
  readonly description: string;
  /** Without it, the capability that failed. */
  readonly capability?: CapabilityName;
  /** Inputs that make the difference. */
  readonly inputs?: Readonly<Record<string, unknown>>;
}

export interface CapabilityError {
  readonly type: string;
  readonly description: string;
  readonly recovery: readonly [Recovery, ...Recovery[]];
  /** The faults that it stands for, and where several errors do for one, the argument that must be to blame. */
  readonly on: readonly Code[];
  readonly argument?: string;
}

/** A capability as people and agents read of it. */
export interface Capability<Inputs, Outputs, Uses extends NativeName> {
  readonly name: CapabilityName;
  readonly version: string;
  readonly permission_tier: Tier;
  readonly purpose: string;
  readonly when_to_use: string;
  readonly inputs: z.ZodObject & z.ZodType<Inputs>;
  readonly outputs: z.ZodObject & z.ZodType<Outputs>;
  readonly side_effects: readonly { readonly description: string; readonly reversible: boolean }[];
  readonly common_patterns: readonly { readonly name: string; readonly steps: readonly [string, ...string[]] }[];
  readonly errors: readonly CapabilityError[];
  readonly tags: readonly string[];
  /** What it does, as rules call it, and what it is made of. */
  readonly acts: readonly Act[];
  readonly uses: readonly Uses[];
  /** It makes no native call. */
  readonly isAlone?: boolean;
  readonly annotations: Partial<Annotations>;
  /** Whether the call only looks if something has moved. */
  polls?(inputs: Inputs): boolean;
  run(inputs: Inputs, native: Native<Uses>): Promise<Outputs>;
}

/** A tool that is described as a capability. */
export interface CapabilityTool extends DialectTool {
  readonly capability: Readonly<
    Pick<Capability<never, unknown, never>, "name" | "permission_tier" | "errors" | "acts">
  >;
}

/** The tool that a capability is on the wire, where names have no dots. */
export const capability = <Inputs, Outputs extends Record<string, unknown>, const Uses extends NativeName>(
  defined: Capability<Inputs, Outputs, Uses>,
): CapabilityTool => {
  const { name, purpose, when_to_use: when, permission_tier: tier, inputs, outputs, acts, uses, annotations } = defined;
  let definition: Definition | undefined;
  const tool = dialectTool({
    name: wireName(name),
    title: name,
    description: `${purpose} ${when} [${TIER_TEXTS[tier]}]`,
    annotations,
    input: inputs,
    output: withOptionalOutputs(outputs),
    acts,
    uses,
    isAlone: defined.isAlone ?? false,
    definition: () => (definition ??= definitionOf(defined)),
    polls: (input) => defined.polls?.(input as Inputs) ?? false,
    async run(input, native: Native<Uses>) {
      const data = await defined.run(input as Inputs, native);
      return say(JSON.stringify(data), data);
    },
  });
  return { ...tool, capability: defined };
};

export const wireName = (name: string): string => name.replace(".", "__");

const TIER_TEXTS: Readonly<Record<Tier, string>> = {
  autonomous: "Permission: autonomous",
  notify: "Permission: notify, people are told",
  approval_required: "Permission: approval required",
};

/** Any call may have to wait for a yes, and then has nothing to show yet. */
function withOptionalOutputs(outputs: z.ZodObject): z.ZodObject {
  const required = Object.entries(outputs.shape).flatMap(([name, field]) => (field.isOptional() ? [] : name));
  return z
    .object({
      ...outputs.partial().shape,
      status: z.literal("pending_approval").optional().describe("Somebody has to say yes first"),
      approval_id: z.string().optional(),
      message: z.string().optional().describe("How to get the yes"),
    })
    .meta({ anyOf: [{ required }, { required: ["status"] }] });
}

function definitionOf<Inputs, Outputs, Uses extends NativeName>(defined: Capability<Inputs, Outputs, Uses>) {
  const { acts: _, uses: __, isAlone: ___, annotations: ____, polls: _____, run: ______, ...told } = defined;
  const { inputs, outputs, errors, ...rest } = told;
  return {
    ...rest,
    inputs: exactSchemaOf(inputs),
    outputs: exactSchemaOf(outputs),
    errors: errors.map(({ type, description, recovery }) => ({ type, description, recovery })),
  };
}
