type Data = Readonly<Record<string, unknown>>;

/** How much of a file a page holds. */
export interface Truncation {
  readonly truncated: boolean;
  /** Which bound the page came to; null where it was not cut. */
  readonly truncatedBy: "lines" | "bytes" | null;
  readonly outputLines: number;
  /** Lines of the file; absent where counting them would take reading all of a large file. */
  readonly totalLines?: number;
  /** Not even one line was whole: go on by the cursor. */
  readonly firstLineExceedsLimit: boolean;
}

/** A tool's structured output, where pages of files are not told twice: instead, what was cut of them. */
export function detailsOf(data: Data): Data {
  const { files } = data;
  if (isPage(data)) return pageDetails(data);
  return Array.isArray(files)
    ? { ...data, files: files.map((file: Data) => (isPage(file) ? pageDetails(file) : file)) }
    : data;
}

/** Only a read says whether it cut a file. */
const isPage = (data: Data): boolean => typeof data["truncated"] === "boolean" && typeof data["version"] === "string";

function pageDetails({ content, truncated_by: by, ...rest }: Data): Data {
  const text = typeof content === "string" && rest["encoding"] !== "base64" ? content : "";
  const truncated = rest["truncated"] === true;
  const truncation: Truncation = {
    truncated,
    truncatedBy: by === "lines" || by === "bytes" ? by : null,
    outputLines: text.split(LINE_END).length - (text === "" || LINE_END.test(text.slice(-1)) ? 1 : 0),
    ...(typeof rest["total_lines"] === "number" && { totalLines: rest["total_lines"] }),
    firstLineExceedsLimit: truncated && rest["next_offset"] === undefined && text !== "" && !LINE_END.test(text),
  };
  return { ...rest, truncation };
}

const LINE_END = /\r\n|\n|\r/;
