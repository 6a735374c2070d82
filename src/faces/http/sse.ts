/** An event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads the events of a body. Events that only tell an id have no data. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const text of events) yield eventOf(text);
  }
}

function eventOf(text: string): ServerEvent {
  const lines = text.split(/\r?\n/);
  const valuesOf = (field: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ""));
  return { id: valuesOf("id").at(-1), data: valuesOf("data").join("\n") };
}
