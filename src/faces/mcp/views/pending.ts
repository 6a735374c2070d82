import { render } from "./elements.ts";
import { connect, type Host, type ToolResult } from "./host.ts";
import { pendingCard } from "./pending-card.ts";

/** Shows a command that waits for a person, and nothing once it went on. */
const show = (result: ToolResult, host: Host): void => render(pendingCard(result, host, (next) => show(next, host)));

void connect("holdfast-pending", show);
