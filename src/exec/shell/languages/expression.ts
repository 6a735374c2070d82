/**
 * Returns the source of an expression that matches one part of a regular expression between delimiters. Brackets are
 * closed and hold no delimiter: only then all programs agree where the expression ends.
 */
export const partOfExpression = (delimiter: string): string =>
  String.raw`(?:\\[^\n]|\[\^?\]?(?:\[:[a-z]+:\]|[^\]\[\\\n${delimiter}])*\]|[^\]\[\\\n${delimiter}])`;
