import { reapplyYoungHeapLimit } from "../../../base/young-heap.ts";
import type { Channel, ReadAheadWorker } from "./job.ts";

/** Creates a worker that runs `program`. A thread that died is not started again; walks then read without it. */
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
      // A thread that cannot start, for lack of memory or threads, counts as dead.
      if (mayStart) start().catch(() => {});
      // The thread may start at any moment, and V8 then resets the growth factor: the heap must not grow meanwhile.
      if (!channel) reapplyYoungHeapLimit();
      return channel?.isOpen() === true;
    },
    send: (job, onDone) => (channel as Channel).send(job, onDone),
  };
}

/** Is shared by all walks of this process. */
export const sharedReadAheadWorker = createReadAheadWorker();
