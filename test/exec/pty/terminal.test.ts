import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { bytesOfKeys } from "../../../src/exec/pty/keys.ts";
import { resizeDevice } from "../../../src/exec/pty/resize.ts";
import { openScript } from "../../../src/exec/pty/script.ts";
import type { NewTerminal, Terminal } from "../../../src/exec/pty/terminal.ts";
import { openZigpty } from "../../../src/exec/pty/zigpty.ts";
import type { StartCommand } from "../../../src/exec/jobs/job.ts";
import { needs } from "../../programs.ts";
import { WHILE_BUSY } from "../../work.ts";
import { bash } from "../plain-start.ts";

const KINDS: readonly { name: string; open: (wanted: NewTerminal) => Promise<Terminal | undefined> }[] = [
  { name: "zigpty", open: openZigpty },
  { name: "script", open: async (wanted) => openScript(wanted) },
];

describe.each(KINDS)("a terminal of $name", ({ open }) => {
  async function started(start: StartCommand, size = { columns: 100, rows: 30 }) {
    needs("script", "setsid");
    const directory = mkdtempSync(join(tmpdir(), "holdfast-pty-"));
    const [logPath, deviceFile] = [join(directory, "log"), join(directory, "device")];
    const log = openSync(logPath, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    const terminal = await open({ size, log, logPath, deviceFile });
    if (!terminal) throw new Error("there is no terminal");
    const command = terminal.attach(await start(terminal.streams));
    closeSync(log);
    onTestFinished(async () => {
      await command.end(100);
      rmSync(directory, { recursive: true });
    });
    const output = (): string => readFileSync(logPath, "utf8");
    const shows = (text: string): Promise<void> => vi.waitFor(() => expect(output()).toContain(text), WHILE_BUSY);
    return { command, output, shows, device: () => readFileSync(deviceFile, "utf8").trim() };
  }

  it("is the controlling terminal of the command, with the size that was asked for", async () => {
    const { command, output } = await started(bash("stty size; test -t 0 -a -t 1 -a -t 2 && echo yes >/dev/tty"));
    expect(await command.exited).toEqual({ code: 0, signal: null });
    expect(output()).toBe("30 100\r\nyes\r\n");
  });

  it("tells the exit code", async () => {
    const { command } = await started(bash("exit 7"));
    expect(await command.exited).toEqual({ code: 7, signal: null });
  });

  it("tells the signal", async () => {
    const { command } = await started(bash("kill -TERM $$"));
    expect(await command.exited).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("types lines, and echoes them", async () => {
    const { command, output, shows } = await started(bash('echo ready; read -r line; echo "got $line"'));
    await shows("ready");
    command.write(bytesOfKeys(["héllo", "Enter"]));
    expect(await command.exited).toEqual({ code: 0, signal: null });
    expect(output()).toBe("ready\r\nhéllo\r\ngot héllo\r\n");
  });

  it("interrupts by C-c and ends the input by C-d", async () => {
    const { command, output, shows } = await started(bash("trap 'echo caught' INT; echo ready; cat; cat; echo end"));
    await shows("ready");
    command.write(bytesOfKeys(["C-c"]));
    await shows("caught");
    command.write(bytesOfKeys(["C-d"]));
    expect(await command.exited).toEqual({ code: 0, signal: null });
    expect(output()).toMatch(/end\r\n$/);
  });

  it("dies of C-c like of a signal", async () => {
    const { command, shows } = await started(bash("echo ready; exec sleep 30"));
    await shows("ready");
    command.write(bytesOfKeys(["C-c"]));
    expect(await command.exited).toEqual({ code: null, signal: "SIGINT" });
  });

  it("is resized by its device, which the command is told", async () => {
    const text = "trap 'stty size' WINCH; echo ready; for i in $(seq 300); do sleep 0.1; done";
    const { shows, device, output } = await started(bash(text));
    await shows("ready");
    await resizeDevice(device(), { columns: 55, rows: 11 });
    await shows("11 55");
    expect(output()).toBe("ready\r\n11 55\r\n");
  });

  it("loses nothing of a burst", async () => {
    const { command, output } = await started(bash("seq 100000; echo end"));
    await command.exited;
    const lines = output().split("\r\n");
    expect([lines.length, lines.at(-2), lines[99_999]]).toEqual([100_002, "end", "100000"]);
  });

  it("keeps words as they are, whatever they contain", async () => {
    const odd = `a 'b' "c" $HOME \`id\` \\ \n;&|*?~ é`;
    const { command, output } = await started(bash(`printf %s '${odd.replaceAll("'", String.raw`'\''`)}'`));
    await command.exited;
    expect(output()).toBe(odd.replace("\n", "\r\n"));
  });
});
