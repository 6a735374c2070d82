import type { Grammar } from "../grammar.ts";

/** Flags of everything that shows differences. Programs of the configuration are switched off by `HARDENED`. */
const DIFF = `-p -u -s -R -a -b -w -z --patch --no-patch --raw --minimal --patience --histogram --numstat --shortstat
  --summary --name-only --name-status --no-color --no-color-moved --no-renames --find-copies-harder --full-index
  --binary --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space
  --ignore-blank-lines --function-context -W --exit-code --quiet --no-ext-diff --no-textconv --no-prefix
  --default-prefix --check --compact-summary --patch-with-stat --patch-with-raw --pickaxe-regex --pickaxe-all --indent-heuristic
  --no-indent-heuristic --irreversible-delete -D --cc -c -m --combined-all-paths -t`;
const DIFF_OPTIONAL = `-U -M -C -B --unified --stat --dirstat --color --color-words --color-moved --word-diff --abbrev
  --find-renames --find-copies --break-rewrites --submodule --ignore-submodules --relative -X`;
const DIFF_TEXT = `-S -G -l --diff-filter --diff-algorithm --anchored --inter-hunk-context --word-diff-regex --ws-error-highlight
  --src-prefix --dst-prefix --line-prefix --stat-width --stat-count --stat-name-width --stat-graph-width --find-object`;

const LOG = `--oneline --all --graph --no-graph --no-merges --merges --first-parent --follow --reverse --no-decorate --decorate
  --source --date-order --author-date-order --topo-order --boundary --left-right --cherry --cherry-pick --cherry-mark
  --left-only --right-only --full-history --simplify-merges --simplify-by-decoration --ancestry-path --no-walk --walk-reflogs
  -g --abbrev-commit --no-abbrev-commit --relative-date --parents --children --show-pulls --log-size -i
  --regexp-ignore-case -E --extended-regexp -F --fixed-strings -P --perl-regexp --all-match --invert-grep --no-notes
  --no-mailmap --mailmap --use-mailmap --no-expand-tabs --ignore-missing --bisect --dense --sparse --no-abbrev
  --clear-decorations --no-show-signature --remove-empty`;
const LOG_OPTIONAL = `--decorate --branches --tags --remotes --glob --no-walk --notes --expand-tabs --show-linear-break --encoding`;
const LOG_TEXT = `--since --after --until --before --author --committer --grep --date --decorate-refs --decorate-refs-exclude
  --exclude --min-parents --max-parents -L --since-as-filter`;
const FORMATS: Grammar["written"] = { "--format": "git format", "--pretty": "git format" };

const HARDENED = ["--no-ext-diff", "--no-textconv"];

const LOGGING: Grammar = {
  flags: `${DIFF} ${LOG} --pretty`,
  optional: `${DIFF_OPTIONAL} ${LOG_OPTIONAL}`,
  text: `${DIFF_TEXT} ${LOG_TEXT}`,
  number: "-n --max-count --skip",
  written: FORMATS,
  takesDigits: true,
  rest: "revision",
  hardening: HARDENED,
  readsAllWith: `-p -u --patch --patch-with-stat --patch-with-raw --check -U --unified -W --function-context --cc -c -L
    --color-words --word-diff --binary -G -S`,
};

const DIFFING: Grammar = {
  flags: `${DIFF} --cached --staged --merge-base --no-relative`,
  optional: DIFF_OPTIONAL,
  text: DIFF_TEXT,
  takesDigits: true,
  rest: "revision",
  readsAll: true,
  hardening: HARDENED,
};

const LISTING = "--contains --no-contains --merged --no-merged --points-at";

const REVISIONS: Grammar = {
  flags: `${LOG} --count --objects --no-object-names --disk-usage --quiet`,
  optional: LOG_OPTIONAL,
  text: LOG_TEXT,
  number: "-n --max-count --skip",
  written: FORMATS,
  takesDigits: true,
  rest: "revision",
};

const REFLOG: Grammar = {
  flags: "--all --oneline --no-abbrev --abbrev-commit --relative-date",
  text: "--date",
  number: "-n --max-count",
  takesDigits: true,
};

const COMMANDS: Readonly<Record<string, Grammar>> = {
  status: {
    flags: `-s -b -v -z --short --branch --show-stash --long --verbose --no-renames --ahead-behind --no-ahead-behind
      --no-column`,
    optional: "-u --porcelain --untracked-files --ignored --ignore-submodules --column --find-renames",
    rest: "revision",
    // Both show what is staged.
    readsAllWith: "-v --verbose",
  },
  diff: DIFFING,
  log: LOGGING,
  show: { ...LOGGING, readsAll: true },
  shortlog: { ...LOGGING, flags: `${LOG} -n -s -e --numbered --summary --email -c --committer`, number: "--max-count" },
  "rev-list": REVISIONS,
  "rev-parse": {
    flags: `--show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree
      --is-inside-git-dir --is-bare-repository --is-shallow-repository --verify -q --quiet --symbolic --symbolic-full-name
      --all --branches --tags --remotes --show-superproject-working-tree`,
    optional: "--short --abbrev-ref",
    text: "--git-path",
    rest: "text",
  },
  "ls-files": {
    flags: `-c -d -m -o -i -s -u -k -t -v -z --cached --deleted --modified --others --ignored --stage --unmerged --killed
      --exclude-standard --full-name --error-unmatch --directory --no-empty-directory --eol --deduplicate --debug`,
    optional: "--abbrev",
    text: "-x --exclude",
    rest: "revision",
  },
  "ls-tree": {
    flags: "-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree",
    optional: "--abbrev",
    written: { "--format": "git format" },
    first: ["text"],
    rest: "revision",
  },
  "cat-file": { flags: "-t -s -e -p", first: ["revision", "revision"], readsAll: true },
  blame: {
    flags:
      "-b -c -l -t -f -n -s -e -w -p --root --show-stats --porcelain --line-porcelain --incremental --show-name --show-number --show-email --no-progress",
    optional: "-M -C --abbrev",
    text: "-L --date",
    reads: "--ignore-revs-file",
    rest: "revision",
    hardening: ["--no-textconv"],
  },
  grep: {
    flags: `-i -I -v -w -E -F -G -P -n -l -L -c -o -h -H -q -z -p -W -a --ignore-case --invert-match --word-regexp
      --extended-regexp --fixed-strings --basic-regexp --perl-regexp --line-number --files-with-matches --name-only
      --files-without-match --count --only-matching --quiet --null --break --heading --show-function
      --function-context --cached --untracked --text --all-match --and --or --not --column --full-name --recursive
      --no-recursive --no-color --no-textconv`,
    optional: "--color",
    text: "-e --max-depth",
    number: "-A -B -C -m --after-context --before-context --context --max-count --threads",
    takesDigits: true,
    first: ["text"],
    firstUnless: "-e",
    rest: "revision",
    readsAll: true,
    hardening: ["--no-textconv"],
  },
  branch: {
    flags:
      "-a -r -v -l -i --all --remotes --verbose --list --show-current --ignore-case --no-color --no-column --no-abbrev",
    optional: `--color --column --abbrev ${LISTING}`,
    text: "--sort",
    written: { "--format": "git format" },
    rest: "text",
    // Older versions create a branch with -l.
    operandsNeed: `--list ${LISTING}`,
  },
  tag: {
    flags: "-l -i --list --ignore-case --no-column",
    optional: `-n --color --column ${LISTING}`,
    text: "--sort",
    written: { "--format": "git format" },
    rest: "text",
    operandsNeed: `-l --list ${LISTING}`,
  },
  remote: {
    flags: "-v --verbose",
    mayBeBare: true,
    commands: { "get-url": { flags: "--push --all", first: ["text"] } },
  },
  stash: {
    commands: {
      list: LOGGING,
      show: { ...DIFFING, flags: `${DIFF} --include-untracked --only-untracked`, rest: "text" },
    },
  },
  worktree: { commands: { list: { flags: "-v -z --verbose --porcelain" } } },
  reflog: { ...REFLOG, commands: { show: { ...REFLOG, rest: "text" } }, mayBeBare: true },
  config: {
    flags: `-l -z --list --null --get --get-all --get-regexp --show-origin --show-scope --name-only --local --global --system
      --worktree --includes --no-includes --bool --int`,
    text: "--type",
    first: ["git setting"],
  },
  describe: {
    flags: "--all --tags --long --always --exact-match --debug --first-parent",
    optional: "--dirty --broken --abbrev",
    text: "--match --exclude --candidates",
    rest: "text",
  },
  cherry: { flags: "-v", rest: "text" },
  "merge-base": { flags: "-a --all --octopus --independent --is-ancestor --fork-point", rest: "text" },
  "name-rev": { flags: "--tags --name-only --always --all", rest: "text" },
  "show-ref": {
    flags: "--head --heads --branches --tags -d --dereference --verify -q --quiet",
    optional: "-s --hash --abbrev",
    rest: "text",
  },
  "symbolic-ref": { flags: "-q --quiet --short", first: ["text"] },
  "for-each-ref": {
    flags: "--ignore-case --omit-empty",
    optional: LISTING,
    text: "--sort --exclude",
    number: "--count",
    written: { "--format": "git format" },
    rest: "text",
  },
  "check-ignore": { flags: "-q -v -n --quiet --verbose --non-matching --no-index", rest: "text" },
  "check-attr": { flags: "-a --all", rest: "text" },
  "count-objects": { flags: "-v -H --verbose --human-readable" },
  "diff-tree": { ...DIFFING, flags: `${DIFF} -r -t --root --no-commit-id --stdin -v`, written: FORMATS },
  version: { flags: "--build-options" },
};

/**
 * Forms of git that read. When they run, settings that start programs are switched off: they may come from a directory
 * that looks like a bare repository, which anyone who can write files can make.
 */
export const GIT: Grammar = {
  flags: "-P --no-pager --no-optional-locks --literal-pathspecs --version",
  directory: "-C",
  mayBeBare: true,
  commands: COMMANDS,
  hardening: [
    "--no-pager",
    "--no-optional-locks",
    ...[
      "safe.bareRepository=explicit",
      "core.fsmonitor=false",
      "core.hooksPath=/dev/null",
      "log.showSignature=false",
    ].flatMap((setting) => ["-c", setting]),
  ],
};
