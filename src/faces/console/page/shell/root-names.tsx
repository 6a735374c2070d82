import { Icon } from "../atoms/icon.tsx";
import { Path } from "../atoms/path.tsx";
import { shown } from "../format/shown.ts";
import { overview } from "../state/console-state.ts";

/** Names the directories that are served. */
export function RootNames() {
  const roots = overview.value.value?.roots ?? [];
  const [first = "", ...others] = roots;
  return (
    <p class="root" title={roots.map((root) => shown(root)).join("\n")}>
      <Icon name="folder" />
      <span class="l">
        <Path path={first} />
      </span>
      {others.length > 0 && <span class="num">+{others.length}</span>}
    </p>
  );
}
