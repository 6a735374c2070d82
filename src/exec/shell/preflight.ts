import { forEachChild, parse, type Command, type SyntaxNode } from "unbash";
import { shown } from "./reasons.ts";
import { kindOf } from "./tables/kinds.ts";
import { readWord } from "./word.ts";

/** Names what a command does that needs care before it starts. */
export interface Preflight {
  /** Files that an interpreter runs: look into them with `shellSyntaxIn`. */
  readonly scripts: readonly ScriptRun[];
  /** Reasons why the command would not end by itself. */
  readonly servers: readonly string[];
  /** Forms of git that throw work away, and what they touch: keep that first. */
  readonly destructive: readonly DestructiveGit[];
}

export interface ScriptRun {
  readonly language: "python" | "javascript";
  readonly path: string;
}

export interface DestructiveGit {
  readonly command: string;
  readonly touches: "changed files" | "untracked files" | "stashes" | "branches" | "remote";
  /** The directory of `-C`, if there is one. */
  readonly directory: string | undefined;
}

/** Recognises scripts, servers and destructive git in a command, also in parts that are not admitted. It may err. */
export function preflight(text: string): Preflight {
  const commands = commandsIn(text, false, 0);
  return {
    scripts: commands.flatMap(({ argv }) => scriptIn(argv)),
    servers: commands.filter(({ isBounded }) => !isBounded).flatMap(({ argv }) => serverIn(argv)),
    destructive: commands.flatMap(({ argv }) => destructiveIn(argv)),
  };
}

/** Returns what to write instead of `$NAME` in a script that is not for a shell; undefined where there is none. */
export function shellSyntaxIn({ language, path }: ScriptRun, source: string): string | undefined {
  const code = source.replaceAll(/`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#.*|\/\/.*/g, "");
  const [variable, name] = /\$([A-Z][A-Z0-9_]{2,})\b/.exec(code) ?? [];
  if (variable === undefined || name === undefined) return undefined;
  const instead = language === "python" ? `os.environ["${name}"]` : `process.env.${name}`;
  return `${shown(path)} holds ${variable}, which is shell syntax; write ${instead}`;
}

interface FoundCommand {
  readonly argv: readonly string[];
  /** Says that it ends by itself: in the background, or by `timeout`. */
  readonly isBounded: boolean;
}

const MAX_DEPTH = 3;

function commandsIn(text: string, isBounded: boolean, depth: number): readonly FoundCommand[] {
  if (depth > MAX_DEPTH || text.length > MAX_CHARACTERS || (text.match(/[({`]/g) ?? []).length > MAX_OPENINGS)
    return [];
  const found: FoundCommand[] = [];
  const visit = (node: SyntaxNode, ends: boolean): void => {
    const isBackground = node.type === "Statement" && node.background === true;
    if (node.type === "Command") found.push(...unwrapped(argvOf(node), ends, depth));
    forEachChild(node, (child) => visit(child, ends || isBackground));
  };
  visit(parse(text), isBounded);
  return found;
}

/** Bound the time and the stack of the parser. */
const MAX_CHARACTERS = 16 * 1024;
const MAX_OPENINGS = 200;

/** Returns the words as far as they are known; others become empty. */
const argvOf = ({ name, args }: Command): readonly string[] =>
  [...(name ? [name] : []), ...args].map((word) => {
    const read = readWord(word.text, "~");
    return "dynamic" in read ? "" : read.value;
  });

/** Looks into programs that run others, and into the text of `sh -c`. */
function unwrapped(argv: readonly string[], isBounded: boolean, depth: number): readonly FoundCommand[] {
  const [name = "", ...words] = argv;
  const base = name.slice(name.lastIndexOf("/") + 1);
  const kind = kindOf(base);
  const text =
    kind === "shell" || base === "eval" ? words.find((word) => word !== "" && !/^[-+]/.test(word)) : undefined;
  if (text !== undefined) return commandsIn(text, isBounded, depth + 1);
  const own = { argv: [base, ...words], isBounded };
  if (kind !== "wrapper" && !RUNNERS.has(base)) return [own];
  const at = words.findIndex((word) => /^[A-Za-z./][^=]*$/.test(word) && !SKIPPED.has(word));
  return at === -1 ? [own] : [own, ...unwrapped(words.slice(at), isBounded || base === "timeout", depth)];
}

const RUNNERS: ReadonlySet<string> = new Set(["npx", "pnpx", "bunx", "uvx"]);
const SKIPPED: ReadonlySet<string> = new Set(["exec", "run", "root"]);

function scriptIn([name = "", path = "", ...rest]: readonly string[]): readonly ScriptRun[] {
  if (path.startsWith("-")) return rest.length > 0 && path === "-u" ? scriptIn([name, ...rest]) : [];
  if (/^python[\d.]*$/.test(name) && path.endsWith(".py")) return [{ language: "python", path }];
  return name === "node" && /\.[cm]?js$/.test(path) ? [{ language: "javascript", path }] : [];
}

function serverIn(argv: readonly string[]): readonly string[] {
  const line = argv.join(" ");
  return SERVERS.some((form) => form.test(line))
    ? [`${shown(line)} does not end by itself; start it with background: true`]
    : [];
}

const SERVERS: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun)(?: run| run-script)? (?:dev|start|serve|watch|preview|storybook)\b(?!:)/,
  /^(?:vite|astro|nuxt|remix)(?: dev| serve| preview)?(?: -.*)?$/,
  /^next (?:dev|start)\b/,
  /^(?:ng|webpack|parcel|jekyll|mkdocs|hugo|gatsby|expo) (?:serve|server|develop|start)\b/,
  /^(?:nodemon|live-server|http-server|serve|browser-sync|uvicorn|gunicorn|hypercorn|daphne|watch|caddy run)\b/,
  /^(?:flask|fastapi|rails|rackup|php artisan|django-admin) (?:run|dev|s|server|serve|runserver)\b/,
  /^python[\d.]* (?:.* )?(?:-m (?:http\.server|flask run|uvicorn)|\S*manage\.py runserver)\b/,
  /^php .*-S /,
  /^(?:docker compose|docker-compose) up\b(?!.* (?:-d|--detach)\b)/,
  /^tail .*(?:-[a-zA-Z]*[fF]|--follow)\b/,
  /^journalctl .*-f\b/,
  / --watch(?:All)?\b(?!=false)/,
  /^tsc .*-w\b/,
];

function destructiveIn([name, ...rest]: readonly string[]): readonly DestructiveGit[] {
  if (name !== "git") return [];
  const { directory, words } = withoutGlobals(rest);
  const [command = "", ...options] = words;
  const touches = command === "" ? [] : (DESTRUCTIVE.get(command)?.(options) ?? []);
  return touches.map((touched) => ({ command: ["git", ...words].join(" "), touches: touched, directory }));
}

/** Removes the options in front of the sub-command. */
function withoutGlobals(words: readonly string[]): {
  readonly directory: string | undefined;
  readonly words: readonly string[];
} {
  let directory: string | undefined;
  let at = 0;
  for (; words[at]?.startsWith("-"); at++) {
    if (words[at] === "-C") directory = words[at + 1];
    if (["-C", "-c", "--git-dir", "--work-tree", "--namespace"].includes(words[at] ?? "")) at++;
  }
  return { directory, words: words.slice(at) };
}

type Touches = readonly DestructiveGit["touches"][];

const has = (options: readonly string[], ...names: readonly string[]): boolean =>
  options.some((option) =>
    names.some((name) =>
      name.startsWith("--")
        ? option.split("=")[0] === name
        : /^-[A-Za-z]+$/.test(option) && option.includes(name.slice(1)),
    ),
  );

const DESTRUCTIVE: ReadonlyMap<string, (options: readonly string[]) => Touches> = new Map<
  string,
  (options: readonly string[]) => Touches
>([
  ["reset", (options) => (has(options, "--hard", "--merge", "--keep") ? ["changed files"] : [])],
  [
    "checkout",
    (options) =>
      options.includes("--") || options.includes(".") || has(options, "-f", "--force", "-B") ? ["changed files"] : [],
  ],
  ["switch", (options) => (has(options, "-f", "--force", "--discard-changes", "-C") ? ["changed files"] : [])],
  [
    "restore",
    (options) => (has(options, "--staged", "-S") && !has(options, "--worktree", "-W") ? [] : ["changed files"]),
  ],
  ["clean", (options) => (has(options, "-n", "--dry-run") ? [] : ["untracked files"])],
  ["stash", ([act]) => (act === "drop" || act === "clear" ? ["stashes"] : [])],
  ["branch", (options) => (has(options, "-D", "-f", "--force") ? ["branches"] : [])],
  [
    "push",
    (options) =>
      has(options, "-f", "--force", "--force-with-lease", "--mirror", "--delete", "-d") ||
      options.some((option) => /^[+:]./.test(option))
        ? ["remote"]
        : [],
  ],
]);
