import { childOf, isWithin } from "../base/paths.ts";
import { STORE_NAME } from "../base/product.ts";
import type { Act } from "../base/verdicts.ts";
import type { Layer } from "../config/layer.ts";
import type { Guard } from "./rules.ts";
import type { WrittenTools } from "./tool-policy.ts";

const CHANGING = ["write", "create", "delete", "erase", "move"] as const satisfies readonly Act[];

/** What a read-only session adds to the rules. */
export function readOnlyLayer({ startedWith, originOf }: WrittenTools = {}): Layer {
  const origin = startedWith?.(KEY) ?? originOf?.(KEY) ?? "readOnly";
  return {
    name: "session",
    rules: [{ act: [...CHANGING], decide: "blocked", reason: "this session is read-only", origin }],
  };
}

const KEY = ["readOnly"];

/** What no rule may open, by its real place. */
export interface Guarded {
  readonly roots: readonly string[];
  /** Where our state is. */
  readonly home: string;
  /** The files that set the limits of a session, there or not. */
  readonly configFiles: readonly string[];
}

/** Whatever the rules say: what is ours and what the kernel shows of itself is out of reach, what sets limits is not written. */
export function guardsFor({ roots, home, configFiles }: Guarded): readonly Guard[] {
  const isInRoot = (place: string): boolean => roots.some((root) => isWithin(place, root));
  const ours = [home, ...roots.map((root) => childOf(root, STORE_NAME))];
  return [
    ...ours.map((within) => guard(within, "it belongs to Holdfast itself", ["read"])),
    ...KERNEL_PLACES.filter(isInRoot).map((within) => guard(within, "it is not a place for files", ["read"])),
    ...configFiles.filter(isInRoot).map((within) => guard(within, "it sets the limits of this session", [])),
  ];
}

/** What the kernel shows of itself. */
const KERNEL_PLACES = ["/proc", "/sys", "/dev"];

/** Whether the kernel shows itself there: nothing can be kept in it. */
export const isKernelPlace = (place: string): boolean => KERNEL_PLACES.some((kernel) => isWithin(place, kernel));

const guard = (within: string, reason: string, more: readonly Act[]): Guard => ({
  within,
  acts: [...more, ...CHANGING],
  reason,
});
