import * as z from "zod";
import type { Code } from "../../base/errors.ts";
import type { Act, Verdict } from "../../base/verdicts.ts";
import type { Definition } from "../../runtime/pipeline/surface.ts";
import { exactSchemaOf } from "../../schema/listed-schema.ts";
import type { Annotations } from "../../tools/tool.ts";
import { type DialectTool, dialectTool, textAnswer } from "../dialect.ts";
import type { Native, NativeName } from "../native.ts";

/** Names every capability. The type ensures that recoveries name only capabilities that exist. */
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

/** Says how far people are involved. Rules can be stricter, and capabilities that they block are not listed. */
export type Tier = "autonomous" | "notify" | "approval_required";

export const VERDICT_OF: Readonly<Record<Tier, Verdict>> = {
  autonomous: "autonomous",
  notify: "notify",
  approval_required: "approval",
};

/** Suggests a call that may resolve an error. */
export interface Recovery {
  readonly action: string;
  readonly description: string;
  /** Defaults to the capability that failed. */
  readonly capability?: CapabilityName;
  /** The inputs to change. */
  readonly inputs?: Readonly<Record<string, unknown>>;
}

export interface CapabilityError {
  readonly type: string;
  readonly description: string;
  readonly recovery: readonly [Recovery, ...Recovery[]];
  /** The fault codes that it covers. If several errors cover a code, `argument` selects one by the wrong argument. */
  readonly on: readonly Code[];
  readonly argument?: string;
}

/** Defines a capability, with its documentation for people and agents. */
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
  /** The acts that rules know, and the native tools that it calls. */
  readonly acts: readonly Act[];
  readonly uses: readonly Uses[];
  /** Is true if it makes no native call. */
  readonly makesNoNativeCalls?: boolean;
  readonly annotations: Partial<Annotations>;
  /** Returns true if the call only polls for events, so that the loop guard allows it. */
  polls?(inputs: Inputs): boolean;
  run(inputs: Inputs, native: Native<Uses>): Promise<Outputs>;
}

/** A tool that is defined as a capability. */
export interface CapabilityTool extends DialectTool {
  readonly capability: Readonly<
    Pick<Capability<never, unknown, never>, "name" | "permission_tier" | "errors" | "acts">
  >;
}

/** Converts a capability to a tool. Its name on the wire has underscores instead of the dot. */
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
    makesNoNativeCalls: defined.makesNoNativeCalls ?? false,
    definition: () => (definition ??= definitionOf(defined)),
    polls: (input) => defined.polls?.(input as Inputs) ?? false,
    async run(input, native: Native<Uses>) {
      const data = await defined.run(input as Inputs, native);
      return textAnswer(JSON.stringify(data), data);
    },
  });
  return { ...tool, capability: defined };
};

export const wireName = (name: string): string => name.replace(".", "__");

const TIER_TEXTS: Readonly<Record<Tier, string>> = {
  autonomous: "Permission: autonomous",
  notify: "Permission: notify, people are informed",
  approval_required: "Permission: approval required",
};

/** Makes outputs optional, because any call may return as pending approval instead. */
function withOptionalOutputs(outputs: z.ZodObject): z.ZodObject {
  const required = Object.entries(outputs.shape).flatMap(([name, field]) => (field.isOptional() ? [] : name));
  return z
    .object({
      ...outputs.partial().shape,
      status: z.literal("pending_approval").optional().describe("The call needs an approval first"),
      approval_id: z.string().optional(),
      message: z.string().optional().describe("How to get the approval"),
    })
    .meta({ anyOf: [{ required }, { required: ["status"] }] });
}

function definitionOf<Inputs, Outputs, Uses extends NativeName>(defined: Capability<Inputs, Outputs, Uses>) {
  const {
    acts: _,
    uses: __,
    makesNoNativeCalls: ___,
    annotations: ____,
    polls: _____,
    run: ______,
    ...documented
  } = defined;
  const { inputs, outputs, errors, ...rest } = documented;
  return {
    ...rest,
    inputs: exactSchemaOf(inputs),
    outputs: exactSchemaOf(outputs),
    errors: errors.map(({ type, description, recovery }) => ({ type, description, recovery })),
  };
}
