type Data = Readonly<Record<string, unknown>>;

/** How much of a file a page holds. */
export interface Truncation {
  readonly truncated: boolean;
  readonly outputLines: number;
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

function pageDetails({ content, ...rest }: Data): Data {
  const text = typeof content === "string" && rest["encoding"] !== "base64" ? content : "";
  const truncated = rest["truncated"] === true;
  const truncation: Truncation = {
    truncated,
    outputLines: text.split(LINE_END).length - (text === "" || LINE_END.test(text.slice(-1)) ? 1 : 0),
    firstLineExceedsLimit: truncated && rest["next_offset"] === undefined && text !== "" && !LINE_END.test(text),
  };
  return { ...rest, truncation };
}

const LINE_END = /\r\n|\n|\r/;
