import { Fault } from "../../base/errors.ts";
import { createPattern, escapeRegex } from "../../text/search/pattern.ts";
import { withPlaceholdersAs } from "../../text/search/pattern-dialect.ts";
import { hasPlaceholder } from "../../text/secrets/placeholder.ts";
import type { Query } from "../../workspace/search/search.ts";
import type { SecretRegistry } from "./registry.ts";

/**
 * Lets a search for a placeholder match wherever the placeholder would be shown: in redacted files, and where other
 * files hold its value. ripgrep is not used then: it would read the real content, and its arguments are visible to all
 * users.
 */
export async function queryByPlaceholder(query: Query, registry: SecretRegistry): Promise<Query> {
  const { pattern, isLiteral } = query.patternOptions;
  if (!hasPlaceholder(pattern)) return query;
  const source = isLiteral ? escapeRegex(pattern) : pattern;
  const withValues = withPlaceholdersAs(source, (placeholder) => {
    const value = registry.longValueOf(placeholder);
    return value === undefined ? placeholder : `(?:${placeholder}|${escapeRegex(value)})`;
  });
  const patternOptions = { ...query.patternOptions, isLiteral: false, pattern: withValues };
  const compiled = await createPattern(patternOptions).catch(() => Promise.reject(placeholderMisfitFault()));
  return { ...query, patternOptions, pattern: compiled, isConfidential: true };
}

/** Does not repeat the reason of the regular expression compiler, which would quote the value. */
const placeholderMisfitFault = (): Fault =>
  new Fault("invalid_input", "Cannot use the pattern: a placeholder does not fit there; search for it alone", {
    argument: "pattern",
  });
