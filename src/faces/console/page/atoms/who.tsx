import { shown } from "../format/shown.ts";
import { sessions } from "../state/console-state.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icons.ts";

interface WhoProps {
  readonly agent: string;
  readonly session: string;
  readonly principal?: "agent" | "user";
}

/** Names who did something: a shape for the session, the agent, and the start of the session's id. */
export function Who({ agent, session, principal = "agent" }: WhoProps) {
  return (
    <span class="who">
      <Icon name={principal === "user" ? "person" : shapeOf(session)} />
      <bdi>{principal === "user" ? "you" : shown(agent)}</bdi>{" "}
      {principal === "agent" && <code>{shortId(session)}</code>}
    </span>
  );
}

export const shortId = (id: string): string => shown(id.slice(0, 4));

/** Sessions are told apart by shape, never by colour: the first three in the list get one each, in turn. */
export function shapeOf(session: string): IconName {
  const index = sessions.value.findIndex(({ id }) => id === session);
  return SHAPES[Math.max(0, index) % SHAPES.length] ?? "circle";
}

const SHAPES: readonly IconName[] = ["circle", "square", "triangle"];
