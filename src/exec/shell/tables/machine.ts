import type { Grammar } from "../grammar.ts";

/** Facts about the machine, the user and the time, and programs that only wait or count. */
export const MACHINE: Readonly<Record<string, Grammar>> = {
  date: {
    flags: "-u -R --utc --universal --rfc-email --debug",
    optional: "-I --iso-8601",
    text: "-d --date --rfc-3339",
    reads: "-r --reference",
    first: ["date format"],
  },
  uname: {
    flags: `-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine
      --processor --hardware-platform --operating-system`,
  },
  arch: {},
  nproc: { flags: "--all", number: "--ignore" },
  id: { flags: "-a -g -G -n -r -u -z --group --groups --name --real --user --zero", rest: "text" },
  whoami: {},
  logname: {},
  groups: { rest: "text" },
  hostname: { flags: "-a -A -d -f -i -I -s --alias --domain --fqdn --long --ip-address --all-ip-addresses --short" },
  uptime: { flags: "-p -s --pretty --since" },
  free: { flags: "-b -k -m -g -h -l -t -w --bytes --kibi --mebi --gibi --human --lohi --total --wide --si" },
  lscpu: { flags: "-J --json" },
  tty: { flags: "-s --silent --quiet" },
  locale: { flags: "-a" },
  ps: {
    flags: "-e -A -a -d -f -F -l -x --forest",
    text: "-p --pid --ppid -u -C --sort",
    first: ["ps words"],
  },
  pgrep: {
    flags:
      "-a -c -f -i -l -n -o -v -w -x --list-full --count --full --ignore-case --list-name --newest --oldest --exact",
    text: "-d --delimiter -P --parent -u --euid -t --terminal",
    first: ["text"],
  },
  expr: { isText: true },
  env: {},
  printenv: { rest: "text" },
  seq: { flags: "-w --equal-width", text: "-f -s --format --separator", first: ["number", "number", "number"] },
  sleep: { first: ["number"], rest: "number" },
  cal: { flags: "-1 -3 -s -m -j -y", rest: "text" },
  factor: { rest: "number" },
  echo: { isText: true },
  printf: { first: ["printf format"], rest: "text" },
  true: { isText: true },
  false: { isText: true },
};

/** Programs that run another, which is judged in their place. */
export const WRAPPERS: Readonly<Record<string, Grammar>> = {
  nice: { number: "-n --adjustment", takesDigits: true, isWrapper: true },
  nohup: { alsoWrites: "nohup.out", isWrapper: true },
  timeout: {
    flags: "-v --foreground --preserve-status --verbose",
    text: "-k -s --kill-after --signal",
    first: ["number"],
    isWrapper: true,
  },
  stdbuf: { text: "-i -o -e --input --output --error", isWrapper: true },
};

const VERSION: Grammar = { flags: "--version", needsFlag: true };

/** Programs of which only the version may be asked. */
export const VERSIONS: Readonly<Record<string, Grammar>> = {
  node: { ...VERSION, flags: "-v --version" },
  python: { ...VERSION, flags: "-V --version" },
  python3: { ...VERSION, flags: "-V --version" },
  bash: VERSION,
  gcc: VERSION,
  "g++": VERSION,
  clang: VERSION,
  make: VERSION,
  cmake: VERSION,
  docker: VERSION,
  curl: VERSION,
  tar: VERSION,
  perl: VERSION,
  xargs: VERSION,
  tsc: { ...VERSION, flags: "-v --version" },
  eslint: { ...VERSION, flags: "-v --version" },
  prettier: { ...VERSION, flags: "-v --version" },
  pip: { ...VERSION, flags: "-V --version" },
  pip3: { ...VERSION, flags: "-V --version" },
  ruby: { ...VERSION, flags: "-v --version" },
  php: { ...VERSION, flags: "-v --version" },
  java: { flags: "-version --version", hasLongNames: true, needsFlag: true },
  javac: { flags: "-version --version", hasLongNames: true, needsFlag: true },
};

/** Builtins of bash. */
export const BUILTINS: Readonly<Record<string, Grammar>> = {
  ":": { isText: true },
  true: { isText: true },
  false: { isText: true },
  echo: { isText: true, takesStatus: true },
  printf: { first: ["printf format"], rest: "text", takesStatus: true },
  pwd: { flags: "-L -P" },
  exit: { first: ["text"], takesStatus: true },
  type: { flags: "-a -f -p -P -t", rest: "text" },
  command: { flags: "-v -V", rest: "text", needsFlag: true },
  set: { flags: "-e -u", written: { "-o": "shell option" }, needsFlag: true },
};
