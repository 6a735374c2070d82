import { Fault } from "../../base/errors.ts";

/** A value, and where the operator wrote it. */
export interface ValueWithOrigin {
  readonly by: string;
  readonly value: string;
}

export const unusable = ({ by, value }: ValueWithOrigin, help: string): Fault =>
  new Fault("invalid_input", `Cannot use ${by} ${JSON.stringify(value)}: ${help}`);
