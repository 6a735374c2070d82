type Data = Readonly<Record<string, unknown>>;

/** Says how much of a file a page holds. */
export interface Truncation {
  readonly truncated: boolean;
  /** Names the limit that the page reached. Is null when the page was not cut. */
  readonly truncatedBy: "lines" | "bytes" | null;
  readonly outputLines: number;
  /** The number of lines of the file. Is absent where counting them would mean reading all of a large file. */
  readonly totalLines?: number;
  /** Is true if not even the first line fits: continue with the cursor. */
  readonly firstLineExceedsLimit: boolean;
}

/**
 * Returns a tool's structured output with the text of pages, which the content has already, replaced by `truncation`.
 */
export function detailsOf(data: Data): Data {
  const { files } = data;
  if (isPage(data)) return pageDetails(data);
  return Array.isArray(files)
    ? { ...data, files: files.map((file: Data) => (isPage(file) ? pageDetails(file) : file)) }
    : data;
}

/** Recognizes a page by `truncated` and `version`, which only `read` returns together. */
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
