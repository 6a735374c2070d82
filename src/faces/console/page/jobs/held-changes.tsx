import type { JobEntry } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { Path } from "../atoms/path.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";

const UNDO_NOTES: Readonly<Record<JobEntry["undo"], string>> = {
  overlay: "What it changed went in together and can be undone as one.",
  picture: "Files were recorded before it ran; what it changed can be undone.",
  none: "What this command changes cannot be undone.",
};

const HELD_NOTE = "The rules judge each path, then the changes go in together and can be undone as one.";

/** Shows what a command changed, or what is held back until it ends. */
export function HeldChanges({ job }: { readonly job: JobEntry }) {
  const files = job.files ?? [];
  const isHeld = (job.state === "running" && job.undo === "overlay") || job.changesWait;
  return (
    <section class="held">
      {files.length > 0 && (
        <>
          <header>
            <h3>{isHeld ? "Held back" : `${counted(files.length, "file")} changed`}</h3>
            <span class="count">
              {isHeld && `${counted(files.length, "file")}, none has reached your directory yet`}
            </span>
          </header>
          <table class="plain rows">
            <thead class="sr">
              <tr>
                <th>File</th>
                <th>Lines</th>
                <th>Action</th>
              </tr>
            </thead>
            <tbody>
              {files.map(({ path, action, added = 0, removed = 0 }) => (
                <tr key={path}>
                  <td class="p">
                    <Icon name={action === "created" ? "write" : "edit"} />
                    <Path path={path} />
                  </td>
                  <td>
                    <PlusMinus added={added} removed={removed} />
                  </td>
                  <td class="t">
                    <bdi>{shown(action)}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <p class="hint">
        <Icon name={job.undo === "none" ? "warn" : "check"} />
        <span>{isHeld ? HELD_NOTE : UNDO_NOTES[job.undo]}</span>
      </p>
    </section>
  );
}
