export type { Options } from "./app.ts";
export { CODES, type Code, Fault } from "./base/errors.ts";
export {
  type CallOptions,
  type CallResult,
  createHoldfast,
  type HistoryOptions,
  type Holdfast,
  type UndoOptions,
} from "./faces/sdk/holdfast.ts";
