import { describe, expect, it } from "vitest";
import { bytesOfKeys } from "../../../src/exec/pty/keys.ts";
import { createScreen } from "../../../src/exec/pty/screen.ts";
import { needs } from "../../programs.ts";
import { JOB, temporaryJobs } from "../jobs/temporary-jobs.ts";
import { bash } from "../plain-start.ts";

const SIZE = { columns: 20, rows: 4 };

describe("a screen", () => {
  it("shows what a terminal shows", async () => {
    const screen = await createScreen(SIZE, () => {});
    await screen?.feed(Buffer.from("one\r\ntwo\r\nthree\u001b[1;2HXX\u001b[31m\u001b]0;title\u0007\u001b[4;1Hred"));
    expect(screen?.text()).toBe("oXX\ntwo\nthree\nred");
    screen?.resize({ columns: 2, rows: 4 });
    expect(screen?.text().split("\n")[0]).toHaveLength(2);
    screen?.close();
  });

  it("answers where its cursor is, and nothing that holds text of the program", async () => {
    const answers: string[] = [];
    const screen = await createScreen(SIZE, (bytes) => answers.push(Buffer.from(bytes).toString("latin1")));
    await screen?.feed(Buffer.from("ab\u001b[6n\u001b]0;evil\u0007\u001b[21t\u001bP$qm\u001b\\\u001b[5n"));
    expect(answers).toEqual(["\u001b[1;3R", "\u001b[0n"]);
  });

  it("hides no character", async () => {
    const screen = await createScreen(SIZE, () => {});
    await screen?.feed(Buffer.from("a\u202eb\u200bc [holdfast: x]"));
    expect(screen?.text()).not.toMatch(/[\u202e\u200b]|\[holdfast/);
  });
});

describe.each([
  { name: "in our process", isDetached: false },
  { name: "detached", isDetached: true },
])("a job in a terminal, $name", ({ isDetached }) => {
  const wanted = { ...JOB, isDetached, screenSize: { columns: 40, rows: 5 } };

  it("gets the answers that it asks its terminal for", async () => {
    needs("script", "setsid");
    const job = await temporaryJobs().start(
      wanted,
      bash(`stty raw -echo; printf 'ab\\e[6n'; read -rsd R answer; echo; echo "\${answer#??}"`),
    );
    expect(await job.ended).toMatchObject({ exit: { code: 0 } });
    expect(await job.screen()).toContain("1;3");
  });

  it("can be typed into, resized and read as a screen", async () => {
    needs("script", "setsid");
    const jobs = temporaryJobs();
    const job = await jobs.start(wanted, bash("echo ready; read -r a; clear; stty size; read -r b; echo done"));
    await job.output.wait(0, { ms: 30_000 });
    await job.resize({ columns: 33, rows: 6 });
    await job.write(bytesOfKeys(["x", "Enter"]));
    await expect.poll(() => job.screen(), { timeout: 30_000 }).toBe("6 33");
    expect(await jobs.find(job.id)?.screen()).toBe("6 33");
    await job.write(null);
    expect(await job.ended).toMatchObject({ exit: { code: 0 } });
  });
});
