import { Fault } from "../../base/errors.ts";

/** A value with the flag or variable that sets it. */
export interface ValueWithOrigin {
  readonly origin: string;
  readonly value: string;
}

export const unusableValueFault = ({ origin, value }: ValueWithOrigin, help: string): Fault =>
  new Fault("invalid_input", `Cannot use ${origin} ${JSON.stringify(value)}: ${help}`);
