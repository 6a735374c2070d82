import { createGrants, type Grants } from "../runtime/approvals/grants.ts";
import { type ApprovalStore, createApprovalStore } from "../runtime/approvals/store.ts";
import { createLoopSuspensions, type LoopSuspensions } from "../runtime/loops/suspensions.ts";
import { requireKnownFormat } from "../storage/local/state/format.ts";
import { createState } from "../storage/local/state/state.ts";
import type { State } from "../storage/state.ts";
import { homeOf } from "./directories.ts";
import type { Options } from "./options.ts";
import { agentOf } from "./policy.ts";

/** Holds what all sessions of the user share, whatever directories they use. */
export interface SharedState {
  /** Stores the open questions, which are answered outside of the session. */
  readonly approvals: ApprovalStore;
  /** Holds what was allowed for longer than once. */
  readonly grants: Grants;
  /** Lists sessions that were stopped because they only repeated themselves. */
  readonly suspensions: LoopSuspensions;
}

/** Finds it in the state, for sessions with these roots. */
export const sharedStateIn = (state: State, options: Options, roots: readonly string[]): SharedState => ({
  approvals: createApprovalStore(state),
  grants: createGrants(state, agentOf(options)),
  suspensions: createLoopSuspensions(state, roots),
});

/** Opens it without a session, for a person at the command line. Touches nothing before the first use. */
export function openSharedState(options: Options): SharedState {
  const home = homeOf(options);
  requireKnownFormat(home);
  return sharedStateIn(createState(home, options.durability), options, []);
}
