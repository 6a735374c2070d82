/** Calls back once the body of a response was read to its end, or nobody wants the rest. */
export function atBodyEnd(response: Response, ended: () => void): Response {
  const reader = response.body?.getReader();
  if (!reader) {
    ended();
    return response;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        ended();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      ended();
      controller.close();
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
