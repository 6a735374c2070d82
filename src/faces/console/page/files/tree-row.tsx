import type { NetFile } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import type { IconName } from "../atoms/icons.ts";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { RowLink } from "../atoms/row-link.tsx";
import { counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { sessions } from "../state/console-state.ts";
import { FiveBlocks } from "./five-blocks.tsx";
import type { TreeNode } from "./tree.ts";

interface TreeRowProps {
  readonly node: TreeNode;
  readonly isChosen: boolean;
  readonly isClosed: boolean;
  readonly onToggle: () => void;
}

/** Deeper rows are not indented further: the name needs the room. */
const MOST_DEPTH = 6;

export function TreeRow({ node, isChosen, isClosed, onToggle }: TreeRowProps) {
  const look = lookOf(node.file);
  const classes = ["node", `l${Math.min(MOST_DEPTH, node.depth)}`, look.class, isChosen && "selected"];
  return (
    <li class={classes.filter(Boolean).join(" ")} {...(isChosen && { "aria-current": "true" as const })}>
      {node.file ? (
        <span class="tw" />
      ) : (
        <button class="twist" type="button" tabIndex={-1} aria-label={isClosed ? "Open" : "Close"} onClick={onToggle}>
          <Icon name={isClosed ? "chevron" : "down"} />
        </button>
      )}
      <Icon name={look.icon} />
      <RowLink to={{ screen: "files", id: node.path }} isChosen={isChosen}>
        <bdi>{shown(node.name)}</bdi>
      </RowLink>
      <span class="edits">{look.text}</span>
      <FiveBlocks added={node.added} removed={node.removed} />
      <PlusMinus added={node.added} removed={node.removed} />
    </li>
  );
}

interface Look {
  readonly class: string;
  readonly icon: IconName;
  readonly text: string;
}

function lookOf(file: NetFile | undefined): Look {
  if (!file) return { class: "", icon: "folder", text: "" };
  if (file.action === "deleted") return { class: "gone", icon: "trash", text: "deleted" };
  if (file.others.length > 0) return { class: "conflict", icon: "file", text: alsoText(file.others) };
  if (file.action === "created") return { class: "added", icon: "write", text: "new" };
  if (file.from !== undefined) return { class: "", icon: "move", text: "moved" };
  return { class: "", icon: "file", text: counted(file.changes.length, "edit") };
}

/** Names who else changed a file: "also codex", "also 2 others". */
function alsoText([first = "", ...others]: readonly string[]): string {
  if (others.length > 0) return `also ${others.length + 1} others`;
  return `also ${shown(sessions.value.find(({ id }) => id === first)?.agent ?? "another")}`;
}
