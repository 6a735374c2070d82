/** Lists patterns with catastrophic backtracking. */
export const EVIL = [
  "(a+)+$",
  "(a|a)*b",
  "(a|aa)+$",
  "([a-zA-Z]+)*$",
  "(.*a){12}b",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(x+x+)+y",
  "(a*)*b",
  "(\\w+\\s?)*:$",
  "((a{0,5}){0,5}){0,5}b",
  "(?:a?){50}a{50}b",
  "^(a?){100}$",
];
