/** Calls back exactly once: when the body of a response was read to its end, failed, or is not wanted any more. */
export function atBodyEnd(response: Response, ended: () => void): Response {
  const reader = response.body?.getReader();
  if (!reader) {
    ended();
    return response;
  }
  let isOver = false;
  const end = (): void => {
    if (!isOver) ended();
    isOver = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        end();
        throw error;
      });
      if (isOver) return;
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
    async cancel(reason) {
      // Cancelling the reader ends a read that waits, which must not count as a second end.
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
