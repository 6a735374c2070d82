import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { isWithin } from "../base/paths.ts";
import { COMMAND_MARK } from "./jobs/around-us.ts";

/** The whole environment of a command, and a digest of it that an approval can be bound to. */
export interface CommandEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly digest: string;
}

export interface EnvironmentSources {
  /** The environment of this process: only variables of the allow list are taken from it. */
  readonly own: Readonly<Record<string, string | undefined>>;
  /** Variables that the caller of the command asks for. */
  readonly requested?: Readonly<Record<string, string>> | undefined;
  /** Directories of the operator that come first in `PATH`. */
  readonly pathPrepend?: readonly string[] | undefined;
  /** Real paths of directories that the agent can write to: programs are never looked up there. */
  readonly writable: readonly string[];
}

/**
 * Builds the environment of a command by allow list, never by deleting from ours, which may hold secrets. Throws where
 * a requested variable would choose code that programs load or run.
 */
export function environmentOf({
  own,
  requested = {},
  pathPrepend = [],
  writable,
}: EnvironmentSources): CommandEnvironment {
  for (const [name, value] of Object.entries(requested)) checkRequested(name, value);
  checkSize(requested);
  const path = [...pathPrepend, ...(own["PATH"] ?? "").split(":")];
  const variables = {
    ...FIXED,
    ...inherited(own, writable),
    ...requested,
    PATH: searchPath(path, writable) || DEFAULT_PATH,
  };
  return { variables, digest: digestOf(variables) };
}

/** Keeps pagers and prompts from waiting for a person, and marks the command as one of an agent. */
const FIXED = {
  SHELL: "/bin/bash",
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  [COMMAND_MARK]: "1",
};

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

function inherited(own: EnvironmentSources["own"], writable: readonly string[]): Record<string, string> {
  const kept = Object.entries(own).filter(([name, value]) => {
    if (value === undefined) return false;
    if (PLAIN.has(name) || name.startsWith("LC_")) return true;
    return DIRECTORIES.has(name) && isAbsolute(value) && !isBelowAny(value, writable);
  });
  return Object.fromEntries(kept) as Record<string, string>;
}

const PLAIN = new Set(["HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TERM", "COLORTERM", "NO_COLOR", "TZ"]);

/** Variables that say where tool chains are installed; they hold no secrets. */
const DIRECTORIES = new Set([
  "CARGO_HOME",
  "CONDA_PREFIX",
  "GOPATH",
  "GOROOT",
  "JAVA_HOME",
  "NVM_DIR",
  "PNPM_HOME",
  "PYENV_ROOT",
  "RBENV_ROOT",
  "RUSTUP_HOME",
  "VIRTUAL_ENV",
  "VOLTA_HOME",
]);

/** Drops relative directories, repeated ones, and those in which the agent could place programs. */
function searchPath(directories: readonly string[], writable: readonly string[]): string {
  const safe = directories.filter(
    (directory) => isAbsolute(directory) && !directory.includes(":") && !isBelowAny(directory, writable),
  );
  return [...new Set(safe)].join(":");
}

const isBelowAny = (path: string, directories: readonly string[]): boolean =>
  directories.some((directory) => isWithin(path, directory));

function checkRequested(name: string, value: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw refusal(name, "a name has letters, digits and underscores, and does not begin with a digit");
  if (value.includes("\0")) throw refusal(name, "its value has a NUL character");
  if (isDangerous(name))
    throw refusal(name, "it chooses code that programs load or run, or where they look for settings");
}

function checkSize(requested: Readonly<Record<string, string>>): void {
  const bytes = Object.entries(requested).reduce((sum, pair) => sum + Buffer.byteLength(pair.join("=")), 0);
  if (bytes > LIMITS.environmentBytes)
    throw new Fault(
      "too_large",
      `Cannot set the environment: it has ${bytes} bytes, and at most ${LIMITS.environmentBytes} are passed on`,
    );
}

const refusal = (name: string, reason: string): Fault =>
  new Fault("invalid_input", `Cannot set ${JSON.stringify(name)} in the environment: ${reason}`, {
    variable: name,
    hint: "Leave it out of env, or set it inside the command, where it is judged with the rest",
  });

/** Tells whether a variable changes which code runs. Names are compared without regard to case, as some programs do. */
function isDangerous(name: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS.has(upper)) return false;
  return DANGEROUS.has(upper) || DANGEROUS_PREFIXES.some((prefix) => upper.startsWith(prefix));
}

const HARMLESS = new Set([
  "GIT_AUTHOR_DATE",
  "GIT_AUTHOR_EMAIL",
  "GIT_AUTHOR_NAME",
  "GIT_COMMITTER_DATE",
  "GIT_COMMITTER_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_OPTIONAL_LOCKS",
  "GIT_TERMINAL_PROMPT",
  "PYTHONDONTWRITEBYTECODE",
  "PYTHONHASHSEED",
  "PYTHONIOENCODING",
  "PYTHONUNBUFFERED",
  "PYTHONUTF8",
]);

/** Loaders, interpreters and tools that take code, libraries or settings from every variable with such a name. */
const DANGEROUS_PREFIXES = [
  "BASH",
  "BUN_",
  "BUNDLE_",
  "CARGO_",
  "CORECLR_",
  "COR_",
  "DENO_",
  "DOTNET_",
  "DYLD_",
  "GEM_",
  "GIT_",
  "HOLDFAST_",
  "LD_",
  "LESS",
  "LIBMOUNT_",
  "LUA_",
  "NPM_CONFIG_",
  "OPENSSL_",
  "PERL",
  "PHP",
  "PIP_",
  "PYTHON",
  "RUBY",
  "RUSTC",
  "SSH_",
  "SUDO_",
  "YARN_",
  "_RLD",
];

const DANGEROUS = new Set([
  "AWKLIBPATH",
  "AWKPATH",
  "BROWSER",
  "CDPATH",
  "CLASSPATH",
  "CURL_HOME",
  "DOCKER_HOST",
  "EDITOR",
  "ELECTRON_RUN_AS_NODE",
  "EMACSLOADPATH",
  "ENV",
  "EXINIT",
  "FPATH",
  "GCONV_PATH",
  "GLIBC_TUNABLES",
  "GLOBIGNORE",
  "GRADLE_OPTS",
  "HISTFILE",
  "HOME",
  "HOSTALIASES",
  "IFS",
  "INPUTRC",
  "JAVA_TOOL_OPTIONS",
  "JDK_JAVA_OPTIONS",
  "LIBPATH",
  "LOCALDOMAIN",
  "LOCPATH",
  "LOGNAME",
  "MAKEFILES",
  "MAKEFLAGS",
  "MANPAGER",
  "MAVEN_OPTS",
  "NLSPATH",
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "NODE_PATH",
  "NODE_REPL_EXTERNAL_MODULE",
  "PAGER",
  "PATH",
  "PROMPT_COMMAND",
  "PS4",
  "RESOLV_HOST_CONF",
  "RES_OPTIONS",
  "SHELL",
  "SHELLOPTS",
  "SHLIB_PATH",
  "SSLKEYLOGFILE",
  "TERMCAP",
  "TERMINFO",
  "TERMINFO_DIRS",
  "TMOUT",
  "USER",
  "VIMINIT",
  "VISUAL",
  "WGETRC",
  "XDG_CONFIG_DIRS",
  "XDG_CONFIG_HOME",
  "XDG_DATA_DIRS",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
  "ZDOTDIR",
  "_JAVA_OPTIONS",
]);

function digestOf(variables: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(variables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}
