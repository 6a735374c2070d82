import type { QuestionEffect, WaitingQuestion } from "../../contract.ts";
import { visible } from "../../../../text/quote.ts";
import { Path } from "../atoms/path.tsx";
import { FileDiff } from "../diff/file-diff.tsx";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";

interface EffectsProps {
  readonly question: WaitingQuestion;
  readonly hasViews?: boolean;
}

/** Shows exactly what a yes would do: each diff, each text, each path. */
export function Effects({ question, hasViews = true }: EffectsProps) {
  const whole = question.effects.filter(({ hunks, text }) => hunks === undefined && text === undefined);
  const parts = question.effects.filter((effect) => !whole.includes(effect));
  return (
    <>
      {whole.length > 0 && <PathTable effects={whole} />}
      {parts.map((effect) => (
        <div key={effect.path} class={question.current ? "diffbox" : "diffbox old"}>
          <Part
            effect={effect}
            hasViews={hasViews && question.current}
            asked={question.asked}
            isOld={!question.current}
          />
        </div>
      ))}
    </>
  );
}

interface PartProps {
  readonly effect: QuestionEffect;
  readonly hasViews: boolean;
  readonly asked: string;
  readonly isOld: boolean;
}

function Part({ effect: { path, hunks, text, note }, hasViews, asked, isOld }: PartProps) {
  if (hunks === undefined)
    return (
      <div class="term" tabIndex={0} role="region" aria-label={`Text of ${shown(path)}`}>
        <pre>{visible(text ?? "")}</pre>
      </div>
    );
  return (
    <FileDiff path={path} hunks={hunks} note={note} hasViews={hasViews}>
      {isOld && <span class="tag">as of {clock(asked)}</span>}
    </FileDiff>
  );
}

const PathTable = ({ effects }: { readonly effects: readonly QuestionEffect[] }) => (
  <table class="plain rows effects">
    <caption class="sr">Paths that change</caption>
    <tbody>
      {effects.map(({ path, action, note }) => (
        <tr key={path}>
          <td class="p">
            <Path path={path} />
          </td>
          <td class="t">
            <bdi>{shown(action)}</bdi>
          </td>
          <td>
            <bdi>{shown(note ?? "")}</bdi>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
