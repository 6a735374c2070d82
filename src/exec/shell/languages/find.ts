import type { StaticWord } from "../word.ts";

/** The meaning of the words of `find`. */
export interface FindWords {
  /** The directories that are walked; the current one if there are none. */
  readonly starts: readonly string[];
  /** Paths that tests look at. */
  readonly reads: readonly string[];
  readonly problems: readonly string[];
}

/** Reads the words of `find`: starts, then an expression of tests that print at most. */
export function readFind(words: readonly StaticWord[]): FindWords {
  const starts: string[] = [];
  const reads: string[] = [];
  const problems: string[] = [];
  let at = words[0]?.value === "-P" ? 1 : 0;
  for (; at < words.length && !isExpression(words[at]?.value ?? ""); at++) {
    const word = words[at];
    if (word === undefined) break;
    if (word.isPattern) problems.push(`${word.value} is a pattern`);
    starts.push(word.value);
  }
  while (at < words.length) at = readTest(words, at, { reads, problems });
  return { starts: starts.length > 0 ? starts : ["."], reads, problems };
}

const isExpression = (value: string): boolean => /^(?:-|[(),!]$)/.test(value);

function readTest(
  words: readonly StaticWord[],
  at: number,
  { reads, problems }: { readonly reads: string[]; readonly problems: string[] },
): number {
  const name = words[at]?.value ?? "";
  const value = words[at + 1];
  if (words[at]?.isPattern || words[at]?.hasStatus) problems.push(`${name} is not fixed`);
  if (ALONE.has(name)) return at + 1;
  const isFile = /^-newer(?:[amcB][amcB])?$/.test(name) || name === "-samefile";
  if (!isFile && !WITH_VALUE.has(name)) {
    problems.push(`${name} is not on the list`);
    return at + 1;
  }
  if (value === undefined || value.isPattern || value.hasStatus) problems.push(`the value of ${name} is not fixed`);
  else if (isFile) reads.push(value.value);
  return at + 2;
}

const ALONE: ReadonlySet<string> = new Set(
  `( ) ! , -a -and -o -or -not -print -print0 -ls -prune -quit -depth -d -xdev -mount -empty -true -false -executable
  -readable -writable -daystart -nouser -nogroup -noleaf -ignore_readdir_race`.match(/\S+/g),
);

const WITH_VALUE: ReadonlySet<string> = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -mtime
  -mmin -atime -amin -ctime -cmin -newermt -perm -user -group -uid -gid -links -inum -maxdepth -mindepth -printf
  -fstype -used`.match(/\S+/g),
);
