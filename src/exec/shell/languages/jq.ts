/**
 * Returns whether a filter uses only names of this list. Others read the environment (`env`, `$ENV`), modules
 * (`import`, `include`) or names of files, or could be new. Texts with an expression in them are read as code.
 */
export function isHarmlessJq(filter: string): boolean {
  const code = codeOf(filter);
  if (code === undefined || /\$(?![A-Za-z])|\$ENV\b|::|#/.test(code)) return false;
  // A name behind a dot is a field, behind a dollar a variable, behind @ a format, and before a colon in braces a key.
  const names = code.replaceAll(/([{,]\s*)[A-Za-z_]\w*(?=\s*:)/g, "$1").matchAll(/(?<![$@\w]|(?<!\.)\.)[A-Za-z_]\w*/g);
  return [...names].every(([name]) => NAMES.has(name));
}

/** Returns the filter without its texts, but with the expressions in them; undefined where a text has no end. */
function codeOf(filter: string): string | undefined {
  let code = "";
  /** For each text that is open, how many parentheses are open in its expression. */
  const open: number[] = [];
  for (let at = 0; at < filter.length; at++) {
    const character = filter.charAt(at);
    const depth = open.at(-1);
    if (character === '"' || (character === ")" && depth === 0)) {
      if (character === ")") open.pop();
      const end = endOfText(filter, at + 1);
      if (end === undefined) return undefined;
      code += '"" ';
      if (filter.charAt(end) === "(") open.push(0);
      at = end;
      continue;
    }
    if (depth !== undefined && "()".includes(character)) open[open.length - 1] = depth + (character === "(" ? 1 : -1);
    code += character;
  }
  return open.length > 0 ? undefined : code;
}

/** Returns where a text ends: at its quote, or at the parenthesis that opens an expression in it. */
function endOfText(filter: string, from: number): number | undefined {
  for (let at = from; at < filter.length; at++) {
    if (filter.charAt(at) === '"') return at;
    if (filter.charAt(at) !== "\\") continue;
    at += 1;
    if (filter.charAt(at) === "(") return at;
  }
  return undefined;
}

const NAMES: ReadonlySet<string> = new Set(
  `and or not if then elif else end as reduce foreach try catch null true false empty error
  length utf8bytelength keys keys_unsorted values has in map map_values path del to_entries from_entries with_entries
  select recurse add any all flatten range floor ceil round sqrt pow log exp abs tostring tonumber type infinite nan
  isinfinite isnan isnormal sort sort_by group_by min max min_by max_by unique unique_by reverse contains inside
  startswith endswith combinations ltrimstr rtrimstr trim ltrim rtrim explode implode split join ascii ascii_downcase
  ascii_upcase repeat until inputs input first last nth limit skip isempty paths leaf_paths arrays objects
  iterables booleans numbers strings nulls scalars getpath setpath delpaths pick transpose walk test match capture scan
  splits sub gsub index rindex indices tojson fromjson todate fromdate now date dates mktime gmtime strftime strptime
  tostream fromstream truncate_stream toarray have_literal_numbers`.match(/\S+/g),
);
