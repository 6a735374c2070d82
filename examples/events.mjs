/**
 * Yields the data of server-sent events as it arrives, parsed. All providers stream this way.
 * @param {Response} response
 */
export async function* events(response) {
  if (!response.ok || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
  let rest = "";
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data: ") && line !== "data: [DONE]") yield JSON.parse(line.slice("data: ".length));
    }
  }
}
