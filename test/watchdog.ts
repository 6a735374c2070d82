import { Worker } from "node:worker_threads";
import { afterEach, beforeEach } from "vitest";

/**
 * Ends the process of a test that blocks it, and names the test. The runner's own clock stands still in such a process:
 * it only ends tests that wait.
 */
const THREAD = `
  const { parentPort } = require("node:worker_threads");
  let timer;
  parentPort.on("message", ({ name, milliseconds }) => {
    clearTimeout(timer);
    if (name !== undefined) timer = setTimeout(end, milliseconds, name);
  });
  function end(name) {
    require("node:fs").writeSync(2, "HANGS: " + name + "\\n");
    process.kill(process.pid, "SIGKILL");
  }
`;

const kept = globalThis as { watchdog?: Worker };
const watchdog = (kept.watchdog ??= new Worker(THREAD, { eval: true }));
watchdog.unref();

beforeEach(({ task }) => {
  // A quarter more: the runner ends a test that waits before.
  const watched = { name: `${task.file.name} > ${task.name}`, milliseconds: task.timeout * 1.25 };
  watchdog.postMessage(watched, []);
});

afterEach(() => watchdog.postMessage({}, []));
