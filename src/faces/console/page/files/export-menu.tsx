import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { getFile } from "../state/api.ts";
import { useAttempt } from "../state/attempt.ts";
import { fileSession } from "../state/console-state.ts";

const FORMATS = [
  { as: "markdown", ending: "md", label: "Markdown" },
  { as: "patch", ending: "patch", label: "Patch" },
] as const;

/** Saves what a session did as a file to read or to apply. */
export function ExportMenu() {
  const attempt = useAttempt();
  return (
    <>
      <Failure text={attempt.failure} />
      {FORMATS.map(({ as, ending, label }) => (
        <Button key={as} kind="small" disabled={attempt.isRunning} onPress={() => attempt.run(() => save(as, ending))}>
          <Icon name="save" />
          <span class="sr">Save as </span>
          {label}
        </Button>
      ))}
    </>
  );
}

async function save(as: string, ending: string): Promise<void> {
  const session = fileSession.peek() ?? "";
  const address = URL.createObjectURL(await getFile("/api/export", { session, as }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `holdfast-${session.slice(0, 8)}.${ending}`;
  link.click();
  URL.revokeObjectURL(address);
}
