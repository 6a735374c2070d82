/** Holds a path in two parts: long paths lose the end of the directory, never the name. */
export interface PathParts {
  readonly directory: string;
  readonly name: string;
}

/** Splits a path before its last name; the name of a directory keeps its slash. */
export function pathParts(path: string): PathParts {
  const cut = path.replace(/\/+$/, "").lastIndexOf("/") + 1;
  return { directory: path.slice(0, cut), name: path.slice(cut) };
}
