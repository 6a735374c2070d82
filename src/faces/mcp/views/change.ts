import { diffView } from "./diff.ts";
import { button, element, render } from "./elements.ts";
import { connect, type Host, type ToolResult } from "./host.ts";
import { pendingCard } from "./pending-card.ts";
import { stringIn, textIn } from "./result-text.ts";

/** Shows what a call changed, and takes it back after a preview. */
function show(result: ToolResult, host: Host): void {
  const waits = pendingCard(result, host, (next) => show(next, host));
  if (waits) return render(waits);
  if (result.isError) return render(element("section", "card", element("p", "bad", textIn(result))));
  render(changeCard(result, host));
}

function changeCard(result: ToolResult, host: Host): HTMLElement {
  const { structuredContent: data } = result;
  const [diff, change] = [stringIn(data, "diff"), stringIn(data, "change_id")];
  const text = textIn(result);
  const said = diff === undefined ? text : text.replace(diff.trimEnd(), () => "").trim();
  const acts = element("div", "acts");
  if (change !== undefined) offerUndo(change, host, acts);
  return element("section", "card", element("p", "", said), ...(diff === undefined ? [] : [diffView(diff)]), acts);
}

function offerUndo(change: string, host: Host, acts: HTMLElement): void {
  const { call } = host;
  if (!call) return;
  const offer = button("Undo…", "", () => preview(change, { ...host, call }, acts));
  acts.replaceChildren(offer);
}

type CallingHost = Host & { readonly call: NonNullable<Host["call"]> };

/** Tries the undo: it says what would come back, or what is in the way. Nothing is changed by that. */
async function preview(change: string, host: CallingHost, acts: HTMLElement): Promise<void> {
  const tried = await host.call("undo", { change_id: change, dry_run: true });
  const keep = button(tried.isError ? "Close" : "Keep", "", () => offerUndo(change, host, acts));
  const undo = button("Undo", "main", () => undoNow(change, host));
  const said = element("p", tried.isError ? "bad" : "", textIn(tried).replace(DRY_RUN, ""));
  acts.replaceChildren(said, ...(tried.isError ? [] : [undo]), keep);
}

/** Is for models: a preview with a button says as much. */
const DRY_RUN = "Nothing was changed; this is a dry run:\n";

/** Takes the change back. The rules may ask a person first, as for every call. */
async function undoNow(change: string, host: CallingHost): Promise<void> {
  const undone = await host.call("undo", { change_id: change });
  if (!undone.isError) host.informModel(`The user took back the change ${change}:\n${textIn(undone)}`);
  show(undone, host);
}

void connect("holdfast-change", show);
