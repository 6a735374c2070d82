/** Quotes a word for a POSIX shell, so that a command can be pasted as it is shown. */
export const shellWord = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const PLAIN = /^[\w@%+=:,./-]+$/;
