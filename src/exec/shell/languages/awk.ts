import { partOfExpression } from "./expression.ts";

/**
 * Returns whether a program only prints fields: `/expression/ { print $1, $NF }`, with a condition on numbers of lines
 * or fields. Everything else of the language, such as `system`, `getline`, pipes and redirections, has no form here.
 */
export const isHarmlessAwk = (program: string): boolean => PROGRAM.test(program);

const NUMERIC = String.raw`(?:NR|FNR|NF|\$\d+|\$NF|\d+)`;
const TEXT = String.raw`"(?:[^"\\\n]|\\[tn"\\])*"`;
const EXPRESSION = `/${partOfExpression("/")}+/`;
const TEST = String.raw`(?:${NUMERIC}\s*(?:==|!=|<=|>=|<|>|%)\s*(?:${NUMERIC}|${TEXT})|\$\d+\s*!?~\s*${EXPRESSION}|!?${EXPRESSION})`;
const CONDITION = String.raw`${TEST}(?:\s*(?:&&|\|\|)\s*${TEST})*`;
const VALUE = String.raw`(?:NR|FNR|NF|FILENAME|\$\d+|\$NF|\$0|${TEXT})`;
const PRINT = String.raw`print(?:\s+${VALUE}(?:[\s,]+${VALUE})*)?`;
const PROGRAM = new RegExp(
  String.raw`^\s*(?:${CONDITION}(?:\s*,\s*${CONDITION})?\s*(?:\{\s*${PRINT}\s*;?\s*\})?|\{\s*${PRINT}\s*;?\s*\})\s*$`,
);
