import { reapplyYoungHeapLimit } from "../../../base/young-heap.ts";
import type { Channel, ReadAheadWorker } from "./job.ts";

/** The program is what the thread runs. When it dies it is not started again: walks go on without. */
export function createReadAheadWorker(program?: string): ReadAheadWorker {
  let channel: Channel | undefined;
  let mayStart = true;
  const start = async (): Promise<void> => {
    mayStart = false;
    const { openChannel } = await import("./channel.ts");
    channel = await openChannel((isIdle) => void (mayStart = isIdle), program);
  };
  return {
    wake() {
      // One that cannot even be started, for want of memory or of threads, is as good as dead.
      if (mayStart) start().catch(() => {});
      // The thread may be made at any moment now: the walk that waits for it must not grow meanwhile.
      if (!channel) reapplyYoungHeapLimit();
      return channel?.isOpen() === true;
    },
    send: (job, onDone) => (channel as Channel).send(job, onDone),
  };
}

/** The one of this process, whoever walks. */
export const sharedReadAheadWorker = createReadAheadWorker();
