import { Icon } from "../atoms/icon.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { counted, grouped } from "../format/quantity.ts";
import { briefSpan, secondsFrom } from "../format/time.ts";
import { nowMs } from "../state/clock.ts";
import { overview } from "../state/console-state.ts";

/** Answers on every screen: is anything waiting, what changed, can I take it back. */
export function AnswerBar() {
  const known = overview.value.value;
  if (!known) return null;
  const { waiting, oldestAsked, lastHour } = known;
  return (
    <>
      {waiting > 0 ? (
        <a class="answer3 a-wait" href="#/waiting">
          <Icon name="hourglass" />
          <b>{grouped(waiting)} waiting for you</b>
          {oldestAsked !== undefined && (
            <span class="x">oldest {briefSpan(secondsFrom(oldestAsked, nowMs.value))}</span>
          )}
        </a>
      ) : (
        <a class="answer3 a-none" href="#/waiting">
          <Icon name="check" />
          <b>Nothing waits for you</b>
        </a>
      )}
      {lastHour.files > 0 && (
        <a class="answer3" href="#/files">
          <b>{counted(lastHour.files, "file")} changed</b>
          <PlusMinus {...lastHour} />
          <span class="x">in the last hour</span>
        </a>
      )}
      {lastHour.undoable > 0 && (
        <a class="answer3 a-back" href="#/history">
          <Icon name="undo" />
          <b>{grouped(lastHour.undoable)} can be taken back</b>
        </a>
      )}
    </>
  );
}
