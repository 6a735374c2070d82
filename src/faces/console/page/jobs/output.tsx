import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { JobEntry } from "../../contract.ts";
import { visible } from "../../../../text/quote.ts";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { Key } from "../atoms/key.tsx";
import { bytesText } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { useActions } from "../keys/actions.ts";
import { useOutput } from "./output-of.ts";
import { plainOutput } from "./plain-output.ts";

/** Shows what a job prints; it follows the end until the person scrolls up. */
export function Output({ job }: { readonly job: JobEntry }) {
  const { text, isCut, failure } = useOutput(job);
  const follows = useSignal(true);
  const scroller = useRef<HTMLDivElement>(null);
  const isRunning = job.state === "running";
  useEffect(() => {
    if (follows.value) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [text, follows.value]);
  const toggle = (): void => void (follows.value = !follows.peek());
  useActions("screen", isRunning ? { follow: toggle } : {});
  return (
    <div class="term-wrap">
      <header class="filehead">
        <Icon name="jobs" />
        <span class="p">Output</span>
        <span class="count">{bytesText(job.outputBytes)}</span>
        <span class="grow" />
        {isRunning && (
          <label class="follow">
            <input type="checkbox" checked={follows.value} onChange={toggle} />
            Follow <Key>f</Key>
          </label>
        )}
      </header>
      <Failure text={failure} />
      <div
        class="term"
        role="log"
        aria-live="off"
        aria-label={`Output of ${shown(job.command)}`}
        tabIndex={0}
        ref={scroller}
        onScroll={(event) => void (follows.value = isAtEnd(event.currentTarget))}
      >
        {isCut && <p class="dim">The beginning is not shown.</p>}
        <pre>{visible(plainOutput(text)) || (isRunning ? "" : "It printed nothing.")}</pre>
        {isRunning && <span class="caret" />}
      </div>
    </div>
  );
}

const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight < 24;
