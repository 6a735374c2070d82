/** Says what an unknown program does, so that a reason can name the danger. It decides nothing but what is stored. */
export function kindOf(name: string): ProgramKind | undefined {
  const plain = name.replace(/[\d.]+$/, "");
  return KINDS.find(({ names }) => names.has(name) || names.has(plain))?.kind;
}

export type ProgramKind = "shell" | "interpreter" | "wrapper" | "runner" | "network" | "deleter" | "builtin";

/** Completes a reason: "`python3 x.py` runs code that the list cannot judge". */
export const SAYS: Readonly<Record<ProgramKind, string>> = {
  shell: "starts another shell",
  interpreter: "runs code that the list cannot judge",
  wrapper: "runs another program",
  runner: "runs what a project or a package says",
  network: "uses the network",
  deleter: "deletes or overwrites",
  builtin: "changes how the shell itself works",
};

const named = (
  kind: ProgramKind,
  names: string,
): { readonly kind: ProgramKind; readonly names: ReadonlySet<string> } => ({
  kind,
  names: new Set(names.match(/\S+/g)),
});

const KINDS = [
  named("shell", "sh bash dash zsh ksh mksh fish csh tcsh ash rbash busybox toybox pwsh powershell nu elvish xonsh"),
  named(
    "interpreter",
    `python pypy node nodejs deno bun perl ruby php lua luajit tclsh wish awk gawk mawk nawk sed jq Rscript R julia guile
    groovy scala java kotlin elixir erl ghci runghc ocaml swift osascript expect gdb lldb sqlite psql mysql vi vim nvim
    ex ed emacs nano less more man ipython tsx ts-node coffee irb bc dc m4`,
  ),
  named(
    "wrapper",
    `sudo doas su runuser setpriv env xargs parallel nohup nice ionice timeout stdbuf setsid time chroot unshare nsenter
    bwrap firejail flatpak taskset chrt numactl prlimit script watch strace ltrace catchsegv exec command builtin eval
    find fd fdfind ssh docker podman kubectl flock entr dbus-run-session systemd-run faketime rlwrap unbuffer`,
  ),
  named(
    "runner",
    `npm npx pnpm pnpx yarn bunx corepack pip pipx uv uvx poetry pdm hatch tox nox cargo rustup go make gmake cmake ninja
    meson bazel gradle gradlew mvn ant rake bundle gem composer mix lein sbt dotnet msbuild just task mage tsc jest vitest
    mocha pytest eslint prettier webpack vite next rollup turbo nx lerna ansible terraform vagrant git hg svn pre-commit`,
  ),
  named(
    "network",
    "curl wget nc ncat netcat socat telnet ftp sftp scp rsync ping dig nslookup host gh aria2c http https",
  ),
  named("deleter", "rm rmdir unlink shred dd truncate mkfs wipefs"),
  named(
    "builtin",
    `. source eval exec trap set shopt alias unalias export declare typeset local readonly unset read mapfile readarray
    getopts let enable hash bind complete compgen fc history ulimit umask kill wait disown jobs fg bg pushd popd`,
  ),
] as const;
