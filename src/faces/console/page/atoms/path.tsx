import { pathParts } from "../format/path-parts.ts";
import { shown } from "../format/shown.ts";

/** Shows a path as text: directory grey, name in front. */
export function Path({ path }: { readonly path: string }) {
  const { directory, name } = pathParts(path);
  return (
    <>
      {directory !== "" && <bdi class="dir">{shown(directory)}</bdi>}
      <bdi class="base">{shown(name)}</bdi>
    </>
  );
}
