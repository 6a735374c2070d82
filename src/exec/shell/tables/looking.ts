import type { Grammar } from "../grammar.ts";

const FD: Grammar = {
  flags: `-H -I -u -s -i -g -F -a -p -0 -1 -q --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive
    --ignore-case --glob --regex --fixed-strings --absolute-path --full-path --print0 --quiet --version --one-file-system
    --prune --show-errors`,
  text: `-e --extension -t --type -E --exclude -S --size --changed-within --changed-before -c --color -o --owner
    --path-separator`,
  number: "-d --max-depth --min-depth --exact-depth --max-results -j --threads",
  first: ["text"],
  rest: "read",
  otherwise: ".",
  isRecursive: true,
};

/** Programs that say what is there: files and their facts, not what is in them. */
export const LOOKING: Readonly<Record<string, Grammar>> = {
  ls: {
    flags: `-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1
      --all --almost-all --author --escape --ignore-backups --directory --dired --full-time --no-group
      --group-directories-first --human-readable --si --inode --kibibytes --numeric-uid-gid --literal
      --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --context --zero --version
      --file-type`,
    optional: "--color --hyperlink --classify",
    text: `-I --ignore --hide --block-size --format --indicator-style --quoting-style --sort --time --time-style -T --tabsize
      -w --width`,
    rest: "read",
    otherwise: ".",
    recursiveWith: "-R --recursive",
    hasOnlyHarmlessFlags: true,
  },
  tree: {
    flags: `-a -d -f -x -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -A -S -n -C -X -J --noreport --dirsfirst --filesfirst
      --si --inodes --device --prune --gitignore --matchdirs --ignore-case --du --metafirst --version --nolinks
      --hintro --houtro`,
    text: "-I -P --charset --timefmt --sort -H -T",
    number: "-L --filelimit",
    writes: "-o",
    rest: "read",
    otherwise: ".",
    isRecursive: true,
  },
  fd: FD,
  fdfind: FD,
  stat: {
    flags: "-L -f -t -x --dereference --file-system --terse",
    text: "-c --format --printf --cached",
    rest: "read",
  },
  file: {
    flags: `-b -d -E -h -i -k -L -N -n -p -r -v -0 --brief --mime --mime-type --mime-encoding --keep-going --dereference
      --no-dereference --no-pad --extension --raw --print0 --version`,
    text: "-e --exclude -F --separator -P --parameter",
    rest: "read",
  },
  du: {
    flags: `-a -A -b -c -h -H -k -l -m -P -s -S -x -0 --all --apparent-size --bytes --total --human-readable --inodes
      --count-links --no-dereference --separate-dirs --si --summarize --null --one-file-system`,
    optional: "--time",
    text: "-B --block-size --exclude --time-style -t --threshold",
    number: "-d --max-depth",
    reads: "-X --exclude-from",
    rest: "read",
    otherwise: ".",
    isRecursive: true,
  },
  df: {
    flags:
      "-a -h -H -i -k -l -m -P -T -v --all --human-readable --si --inodes --local --portability --print-type --total",
    optional: "--output",
    text: "-B --block-size -t --type -x --exclude-type",
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  basename: { flags: "-a -z --multiple --zero", text: "-s --suffix", rest: "text" },
  dirname: { flags: "-z --zero", rest: "text" },
  realpath: {
    flags: `-e -L -m -P -q -s -z --canonicalize-existing --logical --canonicalize-missing --physical --quiet --strip
      --no-symlinks --zero`,
    reads: "--relative-to --relative-base",
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  readlink: {
    flags:
      "-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --verbose",
    rest: "read",
    hasOnlyHarmlessFlags: true,
  },
  which: { flags: "-a -s", rest: "text" },
  whereis: { flags: "-b -m -s -u", rest: "text" },
  lsblk: {
    flags: "-a -b -d -f -i -J -l -m -n -p -r -S -t --all --bytes --json --fs --list --paths",
    text: "-o --output",
  },
  npm: {
    flags: "-v --version",
    mayBeBare: true,
    // A .npmrc of the project may name other places for its cache and its logs, which npm would write to.
    hardening: ["--cache=.", "--logs-max=0", "--no-update-notifier"],
    commands: {
      ls: {
        flags: "-a -g -l -p --all --global --json --long --parseable --prod --production --link --no-color",
        text: "--depth --omit --include",
        rest: "text",
      },
      list: {
        flags: "-a -g -l -p --all --global --json --long --parseable --prod --production --link --no-color",
        text: "--depth --omit --include",
        rest: "text",
      },
      root: { flags: "-g --global" },
      prefix: { flags: "-g --global" },
    },
  },
};
