import type { Grammar } from "../grammar.ts";

const SUM: Grammar = {
  flags: "-b -t -z --binary --text --tag --zero --quiet --status",
  rest: "read",
};

const NUMBERED: Grammar = {
  flags: "-q -v -z --quiet --silent --verbose --zero-terminated",
  text: "-n -c --lines --bytes",
  rest: "read",
  takesDigits: true,
  hasOnlyHarmlessFlags: true,
};

const GREP: Grammar = {
  flags: `-E -F -G -P -i -v -w -x -c -l -L -q -s -o -n -b -H -h -T -z -Z -a -I -U -r -y -V
    --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match
    --word-regexp --line-regexp --count --files-with-matches --files-without-match --quiet --silent --no-messages
    --only-matching --line-number --byte-offset --with-filename --no-filename --initial-tab --null --null-data --text
    --recursive --line-buffered --version --help`,
  optional: "--color --colour",
  text: "-e --regexp --include --exclude --exclude-dir --binary-files -D --devices --label",
  number: "-m --max-count -A --after-context -B --before-context -C --context",
  reads: "-f --file --exclude-from",
  takesDigits: true,
  first: ["text"],
  firstUnless: "-e --regexp -f --file",
  rest: "read",
  otherwise: ".",
  otherwiseWith: "-r --recursive",
  recursiveWith: "-r --recursive",
};

const RG: Grammar = {
  flags: `-i -s -S -v -w -x -c -l -q -o -n -N -H -I -a -U -F -P -p -u -. -0 -b -h -V
    --ignore-case --case-sensitive --smart-case --invert-match --word-regexp --line-regexp --count --count-matches
    --files-with-matches --files-without-match --quiet --only-matching --line-number --no-line-number --with-filename
    --no-filename --text --multiline --multiline-dotall --fixed-strings --pcre2 --pretty --unrestricted --hidden
    --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-global --no-messages --null --byte-offset --column
    --no-heading --heading --json --stats --trim --vimgrep --files --type-list --no-config --one-file-system --crlf
    --null-data --passthru --sort-files --version --help --no-pcre2 --glob-case-insensitive --debug --trace
    --include-zero --no-hidden --no-follow --no-unicode --line-buffered --block-buffered --auto-hybrid-regex`,
  text: `-e --regexp -g --glob --iglob -t --type -T --type-not -E --encoding -r --replace --color --colors --sort --sortr
    --engine --path-separator --context-separator --field-match-separator --field-context-separator --max-filesize
    --dfa-size-limit --regex-size-limit --type-add --type-clear`,
  number:
    "-m --max-count -A --after-context -B --before-context -C --context -M --max-columns -d --max-depth -j --threads",
  reads: "-f --file --ignore-file",
  first: ["text"],
  firstUnless: "-e --regexp -f --file --files --type-list",
  rest: "read",
  otherwise: ".",
  isRecursive: true,
  hardening: ["--no-config"],
};

/** Programs that print what is in files. */
export const READING: Readonly<Record<string, Grammar>> = {
  cat: {
    flags: `-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs
      --show-nonprinting --version --help`,
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  tac: { flags: "-b -r --before --regex", text: "-s --separator", rest: "read", hasOnlyHarmlessFlags: true },
  rev: { rest: "read", hasOnlyHarmlessFlags: true },
  nl: {
    flags: "-p --no-renumber",
    text: "-b -d -f -h -i -l -n -s -v -w --body-numbering --number-format --number-separator --number-width",
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  head: NUMBERED,
  tail: {
    ...NUMBERED,
    flags: `${NUMBERED.flags} -f -F -r --retry`,
    optional: "--follow",
    number: "-s --sleep-interval --pid --max-unchanged-stats",
  },
  wc: {
    flags: "-c -m -l -L -w --bytes --chars --lines --max-line-length --words --version",
    text: "--total",
    rest: "read",
  },
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: RG,
  sort: {
    flags: `-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order --ignore-case
      --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort
      --reverse --version-sort --merge --stable --unique --zero-terminated --debug`,
    optional: "--check",
    text: "-k --key -t --field-separator -S --buffer-size --sort",
    number: "--parallel --batch-size",
    reads: "--random-source",
    writes: "-o --output",
    rest: "read",
  },
  uniq: {
    flags: `-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated`,
    optional: "--all-repeated --group",
    number: "-f -s -w --skip-fields --skip-chars --check-chars",
    first: ["read", "write"],
  },
  cut: {
    flags: "-n -s -z --complement --only-delimited --zero-terminated",
    text: "-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter",
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  tr: {
    flags: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1",
    first: ["text", "text"],
  },
  diff: {
    flags: `-q -s -c -u -e -n -y -t -T -r -N -a -b -B -w -i -E -Z -d -p --brief --report-identical-files --unified --context
      --normal --ed --rcs --side-by-side --left-column --suppress-common-lines --show-c-function --expand-tabs
      --initial-tab --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case
      --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space
      --ignore-blank-lines --strip-trailing-cr --text --minimal --speed-large-files --version`,
    optional: "--color --unified --context",
    text: "-x --exclude -I --ignore-matching-lines -F --show-function-line -L --label -S --starting-file",
    number: "-U -C -W --width --tabsize --horizon-lines",
    reads: "-X --exclude-from --from-file --to-file",
    rest: "read",
    // Without -r, it compares the files that are directly in two directories.
    isRecursive: true,
    recursiveWith: "-r --recursive",
    recursiveHardening: ["--no-dereference"],
  },
  cmp: {
    flags: "-b -l -s --print-bytes --verbose --quiet --silent",
    text: "-i --ignore-initial -n --bytes",
    first: ["read", "read", "text", "text"],
  },
  comm: {
    flags: "-1 -2 -3 -z --check-order --nocheck-order --total --zero-terminated",
    text: "--output-delimiter",
    first: ["read", "read"],
  },
  paste: {
    flags: "-s -z --serial --zero-terminated",
    text: "-d --delimiters",
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  join: {
    flags: "-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated",
    text: "-a -e -j -o -t -v -1 -2",
    first: ["read", "read"],
  },
  column: {
    flags: "-t -x -n -e -J -L -d --table --json --fillrows --table-noheadings",
    text: "-s -o -c -N -R -T -W -E -H -O --separator --output-separator --output-width --table-columns --table-right",
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  fold: { flags: "-b -s --bytes --spaces", number: "-w --width", rest: "read", hasOnlyHarmlessFlags: true },
  expand: { flags: "-i --initial", text: "-t --tabs", rest: "read", hasOnlyHarmlessFlags: true },
  base64: { flags: "-d -i --decode --ignore-garbage", number: "-w --wrap", first: ["read"] },
  xxd: {
    flags: "-a -b -e -E -i -p -ps -u -C -d",
    number: "-c -cols -g -groupsize -l -len -s -seek",
    hasLongNames: true,
    first: ["read", "write"],
  },
  od: {
    flags: "-a -b -c -d -f -i -l -o -s -v -x --output-duplicates --traditional",
    text: "-A -j -N -S -t --address-radix --skip-bytes --read-bytes --format",
    optional: "-w --width --strings",
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  hexdump: { flags: "-b -c -C -d -o -v -x", text: "-n -s", rest: "read" },
  hd: { flags: "-v", text: "-n -s", rest: "read" },
  md5sum: SUM,
  sha1sum: SUM,
  sha224sum: SUM,
  sha256sum: SUM,
  sha384sum: SUM,
  sha512sum: SUM,
  b2sum: SUM,
  cksum: SUM,
  jq: {
    flags: `-n -r -j -c -s -e -S -C -M -a -R --null-input --raw-input --slurp --compact-output --raw-output --join-output
      --ascii-output --sort-keys --color-output --monochrome-output --exit-status --tab --seq --stream --version
      --raw-output0 --unbuffered`,
    number: "--indent",
    pair: "--arg --argjson",
    first: ["jq filter"],
    rest: "read",
  },
  sed: {
    flags: "-n -E -r -s -u -z --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --version",
    number: "-l --line-length",
    written: { "-e": "sed script", "--expression": "sed script" },
    first: ["sed script"],
    firstUnless: "-e --expression",
    rest: "read",
  },
  awk: { text: "-F", first: ["awk program"], rest: "read" },
  gawk: { text: "-F", first: ["awk program"], rest: "read" },
  mawk: { text: "-F", first: ["awk program"], rest: "read" },
};
