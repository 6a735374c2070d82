import type { WaitingQuestion } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { Who } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { briefSpan, dayAndTime, secondsFrom } from "../format/time.ts";
import { nowMs } from "../state/clock.ts";
import { countsOf, effectText } from "./question-text.ts";

/** Says what would happen, who asks, why, and whether it can be taken back. */
export function EffectFacts({ question }: { readonly question: WaitingQuestion }) {
  const { added, removed } = countsOf(question);
  const { asked, expires, reasons, agent, session, recoverable, state } = question;
  return (
    <dl class="facts">
      <div>
        <dt>Effect</dt>
        <dd>
          <bdi>{shown(effectText(question))}</bdi>
          {added + removed > 0 && (
            <>
              , <PlusMinus added={added} removed={removed} />
            </>
          )}
          {question.effects.length > 0 && ". Nothing else."}
        </dd>
      </div>
      <div>
        <dt>Asked by</dt>
        <dd>
          <Who agent={agent} session={session} /> {briefSpan(secondsFrom(asked, nowMs.value))} ago.
          {state === "pending" && ` Your answer counts until ${dayAndTime(expires, nowMs.value)}.`}
        </dd>
      </div>
      <div>
        <dt>Because</dt>
        <dd>
          {reasons.map((reason) => (
            <bdi key={reason} class="reason">
              {shown(reason)}
            </bdi>
          ))}
        </dd>
      </div>
      {recoverable && (
        <div>
          <dt>Take back</dt>
          <dd>
            <span class="takeback ok">
              <Icon name="undo" />
              Can be undone afterwards
            </span>
          </dd>
        </div>
      )}
    </dl>
  );
}
