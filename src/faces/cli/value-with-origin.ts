import { Fault } from "../../base/errors.ts";

/** A value, and where the operator wrote it. */
export interface ValueWithOrigin {
  readonly origin: string;
  readonly value: string;
}

export const unusableValueFault = ({ origin, value }: ValueWithOrigin, help: string): Fault =>
  new Fault("invalid_input", `Cannot use ${origin} ${JSON.stringify(value)}: ${help}`);
