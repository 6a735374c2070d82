import type { Grammar } from "../grammar.ts";

/** Programs that change files: what they may change is up to the rules, which judge the places. */
export const CHANGING: Readonly<Record<string, Grammar>> = {
  mkdir: { flags: "-p -v --parents --verbose", text: "-m --mode", rest: "create" },
  touch: {
    flags: "-a -c -f -m -h --no-create --no-dereference",
    text: "-d -t --date --time",
    reads: "-r --reference",
    rest: "write",
  },
  tee: { flags: "-a -i -p --append --ignore-interrupts", optional: "--output-error", rest: "write" },
  cp: {
    flags: "-f -i -n -p -u -v -r -x --force --no-clobber --update --verbose --recursive --one-file-system",
    rest: "read",
    last: "write",
    recursiveWith: "-r --recursive",
    movesLinksWith: "-r --recursive",
  },
  mv: {
    flags: "-f -i -n -u -v --force --no-clobber --update --verbose",
    rest: "move",
    last: "write",
    isRecursive: true,
    movesLinks: true,
  },
  rm: {
    flags: "-d -f -i -I -r -R -v --dir --force --recursive --verbose --one-file-system",
    rest: "delete",
    recursiveWith: "-r -R --recursive",
    refusal: "it deletes",
  },
  rmdir: { flags: "-p -v --parents --verbose --ignore-fail-on-non-empty", rest: "delete", refusal: "it deletes" },
  unlink: { first: ["delete"], refusal: "it deletes" },
};
