import { Fault } from "../../base/errors.ts";
import { createPattern, escaped } from "../../text/search/pattern.ts";
import { withPlaceholdersAs } from "../../text/search/pattern-dialect.ts";
import { PLACEHOLDER_START } from "../../text/secrets/placeholder.ts";
import type { Query } from "../../workspace/search/search.ts";
import type { SecretRegistry } from "./registry.ts";

/**
 * A handle is found where it would be shown: in files that are shown without secrets, and where its value stands in others.
 * No other program is asked then: it would look at what is really there, and what it is asked for can be seen by all.
 */
export function queryByPlaceholder(query: Query, registry: SecretRegistry): Query | Promise<Query> {
  const { pattern, isLiteral } = query.patternOptions;
  if (!pattern.includes(PLACEHOLDER_START)) return query;
  const source = isLiteral ? escaped(pattern) : pattern;
  const withValues = withPlaceholdersAs(source, (handle) => {
    const value = registry.longValueOf(handle);
    return value === undefined ? handle : `(?:${handle}|${escaped(value)})`;
  });
  const patternOptions = { ...query.patternOptions, isLiteral: false, pattern: withValues };
  return createPattern(patternOptions).then(
    (compiled): Query => ({ ...query, patternOptions, pattern: compiled, isConfidential: true }),
    () => Promise.reject(placeholderMisfitFault()),
  );
}

/** Says nothing of what is wrong: that would quote the value. */
const placeholderMisfitFault = (): Fault =>
  new Fault("invalid_input", "Cannot use the pattern: a handle does not fit there; look for it alone", {
    argument: "pattern",
  });
