import { Fault } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { didYouMean, quotedInput } from "../../text/did-you-mean.ts";

interface OptionKind {
  readonly asks: string;
  fits(value: unknown): boolean;
}

/** Lists the kinds of values that options take, for callers that are not checked by the TypeScript compiler. */
const KINDS = {
  roots: {
    asks: 'give a list of directories or named storages, such as ["/project"]',
    fits: (value) => Array.isArray(value) && value.every((each) => typeof each === "string" || isNamedStorage(each)),
  },
  dialect: {
    asks: "give what loadDialect resolves to",
    fits: (value) => isRecord(value) && Array.isArray(value["tools"]),
  },
  list: { asks: "give a list", fits: Array.isArray },
  object: { asks: "give an object", fits: isRecord },
  function: { asks: "give a function", fits: (value) => typeof value === "function" },
  text: { asks: "give a text", fits: (value) => typeof value === "string" },
  number: { asks: "give a number", fits: (value) => typeof value === "number" },
  flag: { asks: "give true or false", fits: (value) => typeof value === "boolean" },
  "flag or object": {
    asks: "give true, false or an object",
    fits: (value) => typeof value === "boolean" || isRecord(value),
  },
} as const satisfies Readonly<Record<string, OptionKind>>;

/** Leaves it to the storages to say what is wrong with one. */
const isNamedStorage = (value: unknown): boolean =>
  isRecord(value) && typeof value["name"] === "string" && isRecord(value["storage"]);

/** Maps every option to the kind of value that it takes. */
export type OptionKinds<Options> = Readonly<Record<keyof Options & string, keyof typeof KINDS>>;

/** Throws a fault for an unknown option, a missing one or a wrong value. The message says what to give instead. */
export function checkOptions<Options>(given: Options, kinds: OptionKinds<Options>): void {
  if (!isRecord(given)) throw invalidOptionFault('give the options as an object, such as { roots: ["/project"] }');
  const known = Object.keys(kinds);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(kinds, name));
  if (unknown !== undefined)
    throw invalidOptionFault(
      `there is no option ${quotedInput(unknown)}; ${didYouMean(unknown, known, `there are ${known.join(", ")}`)}`,
    );
  for (const [name, kind] of Object.entries(kinds) as [string, keyof typeof KINDS][]) {
    const [value, { asks, fits }] = [given[name], KINDS[kind]];
    if (value === undefined && name === "roots") throw invalidOptionFault(`the option "roots" is missing: ${asks}`);
    if (value !== undefined && !fits(value)) throw invalidOptionFault(`the option "${name}" is wrong: ${asks}`);
  }
}

const invalidOptionFault = (state: string): Fault => new Fault("invalid_input", `Cannot start: ${state}`);
