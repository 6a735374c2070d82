import { describe, expect, it } from "vitest";
import { canBoundRoot } from "../../../src/exec/sandbox/pid-bound.ts";
import { runAsUser, USERS } from "./run-as-user.ts";
import type { Attack, HostileOptions, HostileResult } from "./fixtures/run-hostile.ts";

/** Says who gets through without a sandbox: everybody, root only, nobody; "-" where it depends on the machine. */
type Plain = "all" | "root" | "no" | "-";

interface Row extends Attack {
  readonly plain: Plain;
  /** Says that a sandbox does not keep root from it either, which `describeSandbox` tells. */
  readonly isOpenToRoot: boolean;
}

/** Numbers of system calls for which there is no program: they differ between machines. */
const CALL =
  process.arch === "arm64" ? { ptrace: 117, unshare: 97, setns: 268 } : { ptrace: 101, unshare: 272, setns: 308 };

/** A hostile command per row. In a sandbox none of them may reach anything. */
const ROWS: readonly Row[] = [
  row("read a key of the user", "all", 'grep -q SECRET ~/.ssh/id_rsa && echo "REACHED"'),
  row("read a file with passwords", "all", 'grep -q SECRET ~/.netrc && echo "REACHED"'),
  row("read our state", "all", 'grep -q SECRET ~/state/token && echo "REACHED"'),
  row("read a masked file", "all", 'grep -q SECRET .env && echo "REACHED"'),
  row("read a masked file through a link", "all", 'ln -sf .env l; grep -q SECRET l && echo "REACHED"'),
  row("read a masked file through a hard link", "all", 'ln .env h; grep -q SECRET h && echo "REACHED"; rm -f h'),
  row("move the directory of a masked file", "all", 'mv deep d; grep -q SECRET d/er/key && echo "REACHED"; mv d deep'),
  row("read outside", "all", 'grep -q SECRET "$OUT/secret" && echo "REACHED"'),
  row("read outside through /proc", "all", 'cat /proc/[0-9]*/root"$OUT/secret" | grep -q SECRET && echo "REACHED"'),
  row("read passwords of the system", "root", 'grep -q . /etc/shadow && echo "REACHED"'),
  row("write to the system", "root", 'test -w /usr && echo "REACHED"'),
  row("write a setting of the kernel", "-", 'test -w /proc/sys/kernel/core_pattern && echo "REACHED"'),
  row("reboot by a file", "-", 'test -w /proc/sysrq-trigger && echo "REACHED"'),
  row("mount", "root", 'mount -t tmpfs none /mnt && echo "REACHED"'),
  row("remount", "no", 'mount -o remount,bind,rw /usr && touch /usr/new && rm /usr/new && echo "REACHED"'),
  row("be root in a user namespace", "-", 'unshare --user --map-root-user true && echo "REACHED"'),
  row(
    "mount in a user namespace",
    "-",
    'unshare --user --map-root-user --mount mount -t tmpfs none /mnt && echo "REACHED"',
  ),
  row(
    "make a user namespace by a call",
    "-",
    `perl -e 'print q(REACHED) if syscall(${CALL.unshare}, 0x10000000) == 0'`,
  ),
  row("enter the namespaces of the first process", "-", 'nsenter -t 1 -U -m true && echo "REACHED"'),
  row(
    "enter the user namespace above",
    "-",
    `perl -e 'open(N, "<", "/proc/self/ns/user"); $up = ioctl(N, 0xb702, 0) or exit;
      print q(REACHED) if syscall(${CALL.setns}, int($up), 0) == 0'`,
  ),
  row(
    "trace a process outside",
    "no",
    `perl -e '$own = readlink "/proc/self/ns/mnt"; for (glob "/proc/[0-9]*") {
      my ($pid) = /(\\d+)$/; next if (readlink("$_/ns/mnt") // $own) eq $own && $pid != $ENV{OUTER};
      print q(REACHED) if syscall(${CALL.ptrace}, 16, int($pid), 0, 0) == 0 }
      print q(REACHED) if syscall(${CALL.ptrace}, 16, int($ENV{OUTER}), 0, 0) == 0'`,
  ),
  row("make a device", "root", 'mknod d c 1 3 && echo "REACHED"; rm -f d'),
  row("see disks", "-", 'ls -l /dev | grep -q ^b && echo "REACHED"'),
  row("gain privileges by a set-id program", "all", 'grep -q "NoNewPrivs:.0" /proc/self/status && echo "REACHED"'),
  row("keep capabilities", "root", 'grep -q "CapEff:.0*[1-9a-f]" /proc/self/status && echo "REACHED"'),
  row("reach a container engine", "all", connectTo('Peer => "$ENV{HOME}/.docker/sock"')),
  row("reach a socket outside", "all", connectTo('Peer => "$ENV{OUT}/sock"')),
  row("reach a port of this machine", "all", "cat < /dev/tcp/127.0.0.1/$PORT"),
  row("send a datagram", "-", 'echo x > /dev/udp/192.0.2.1/53 && echo "REACHED"'),
  row("signal a process outside", "no", 'kill -0 "$OUTER" && echo "REACHED"'),
  row(
    "see a process outside",
    "no",
    'test -e "/proc/$OUTER/environ" && grep -q run-hostile "/proc/$OUTER/cmdline" && echo "REACHED"',
  ),
  row("inherit a secret variable", "no", 'cat /proc/[0-9]*/environ | grep -qa VERY_SECRET && echo "REACHED"'),
  row(
    "inherit a descriptor",
    "no",
    'for n in /proc/self/fd/*; do case $n:$(readlink $n) in */[012]:*|*:/dev/null|*/fd|*/fd/*:) ;; *) echo "REACHED $n $(readlink $n)" ;; esac; done',
  ),
  row("have our terminal", "no", 'true < /dev/tty && echo "REACHED"'),
  row(
    "type into our terminal",
    "no",
    `perl -e 'open(T, "+<", "/dev/tty") or exit; print q(REACHED) if ioctl(T, 0x5412, $key = "x")'`,
  ),
  row(
    "fill the disk",
    "no",
    'head -c 3000000 /dev/zero > big; test "$(stat -c %s big)" -gt 1000000 && echo "REACHED"; rm -f big',
  ),
  row("fill the memory", "no", 'perl -e \'$x = "a" x 600_000_000; print "REACHED"\''),
  row(
    "start too many processes",
    "root",
    "perl -e 'for (1..400) { $p = fork // exit; sleep(2), exit if !$p } print q(REACHED)'",
    !canBoundRoot(),
  ),
  row("write outside", "all", 'echo x > "$OUT/new" && echo "REACHED"'),
  row("write to the home", "all", 'echo x > ~/new && echo "REACHED"'),
  row("write to a root that is only read", "all", 'echo x > "$RO/file" && echo "REACHED"'),
  row("write through a link", "all", 'ln -sfn "$OUT" l; echo x > l/new && echo "REACHED"'),
  row("write through a hard link", "all", 'ln ~/notes h; echo x > h; grep -q x ~/notes && echo "REACHED"; rm -f h'),
  row("replace a masked file", "all", 'rm -f .env; mv file .env 2>/dev/null; grep -q before .env && echo "REACHED"'),
];

/** The keys of our session pass to every child: only a filter of system calls closes them, which unshare has not. */
const KEY_ROW = row(
  "read a key of our session",
  "-",
  `perl -e '$k = syscall(250, 10, -3, $t = "user", $d = "hostile", 0); exit 1 if $k < 0; print q(REACHED)'`,
);

/** Gives us a terminal, adds a key to our session, and leaves descriptors open, as careless programs do. */
const CARELESS = [
  "perl",
  "-e",
  `use POSIX; $^F = 255; POSIX::setsid(); open(M, "+<", "/dev/ptmx"); ioctl(M, 0x40045431, $z = pack("i", 0));
   ioctl(M, 0x80045430, $n = $z); open(T, "+<", "/dev/pts/" . unpack("i", $n));
   syscall(248, $t = "user", $d = "hostile", $p = "SECRET", 6, -3); exec @ARGV`,
  "bash",
  "-c",
  'exec 9</etc/passwd 200</etc/passwd; exec "$@"',
  "bash",
];

/** Control files that do not exist yet, or must stay as they are: on a view the changes stay there. */
const CONTROL_ROWS: readonly Row[] = [
  row("make a hook", "-", "mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit"),
  row("make a hook in another .git", "-", "mv .git g && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit"),
  row("replace .git", "-", "rm -rf .git; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit"),
  row("write settings of git", "-", "echo evil > .git/config; mv .git/config .git/c; echo evil > .git/config"),
  row("make a profile of the shell", "-", "echo evil > .bashrc; ln -sf /etc/passwd .bashrc; mkdir .bashrc"),
  row("make a directory that is not there yet", "-", "mkdir -p new/dir; echo evil > new/dir/file"),
  row("make a repository", "-", 'cd "$BARE"; git init; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit'),
  row("make settings beside those of git", "-", "echo evil > .git/config.worktree; echo evil > .git/info/attributes"),
];

function row(name: string, plain: Plain, text: string, isOpenToRoot = false): Row {
  return { name, plain, text, isOpenToRoot };
}

function connectTo(peer: string): string {
  return `perl -MIO::Socket::UNIX -e 'print readline(IO::Socket::UNIX->new(${peer}) // exit)'`;
}

function attack(options: Omit<HostileOptions, "directory">, uid: number | undefined): HostileResult {
  process.env["HOSTILE_SECRET"] = "VERY_SECRET";
  return runAsUser("test/exec/sandbox/fixtures/run-hostile.ts", options, uid, CARELESS) as HostileResult;
}

function rowsFor(rung: "bubblewrap" | "unshare"): readonly Row[] {
  const hasKeys = rung === "bubblewrap" && process.arch === "x64";
  return [...ROWS, ...CONTROL_ROWS, ...(hasKeys ? [KEY_ROW] : [])];
}

describe.each(USERS)("hostile commands of $who", ({ uid, isRoot }) => {
  it.each([
    { rung: "bubblewrap", isOnView: false, sharesNetwork: false },
    { rung: "bubblewrap", isOnView: false, sharesNetwork: true },
    { rung: "bubblewrap", isOnView: true, sharesNetwork: false },
    { rung: "unshare", isOnView: false, sharesNetwork: false },
    { rung: "unshare", isOnView: true, sharesNetwork: false },
    { rung: "unshare", isOnView: true, sharesNetwork: true },
  ] as const)("reach nothing in $rung, on a view: $isOnView, with a shared network: $sharesNetwork", (place) => {
    const { reached, damage, hasTerminal } = attack({ ...place, attacks: rowsFor(place.rung) }, uid);
    const open = ROWS.filter(({ isOpenToRoot }) => isOpenToRoot && isRoot).map(({ name }) => name);
    expect({ reached, damage, hasTerminal }).toEqual({ reached: open, damage: [], hasTerminal: true });
  });

  it("get through without a sandbox, as holds says", () => {
    const { reached, damage } = attack({ rung: "none", isOnView: false, sharesNetwork: false, attacks: ROWS }, uid);
    const certain = ROWS.filter(({ plain }) => plain !== "-");
    const expected = certain.filter(({ plain }) => plain === "all" || (plain === "root" && isRoot));
    const names = certain.map(({ name }) => name);
    expect(reached.filter((name) => names.includes(name))).toEqual(expected.map(({ name }) => name));
    expect(damage).not.toEqual([]);
  });
});
