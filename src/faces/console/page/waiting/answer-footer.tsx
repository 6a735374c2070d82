import type { WaitingQuestion } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { counted } from "../format/quantity.ts";
import type { Answers } from "./answers.tsx";
import { refusalOf, titleOf } from "./question-text.ts";

interface AnswerFooterProps {
  readonly question: WaitingQuestion;
  readonly answers: Answers;
  /** Counts the lines of the effect below the view: a yes is for what is shown. */
  readonly linesBelow: number;
}

/** Stays at the bottom, for exactly what is shown. */
export function AnswerFooter({ question, answers, linesBelow }: AnswerFooterProps) {
  const refusal = refusalOf(question);
  const isBusy = answers.attempt.isRunning;
  return (
    <footer class="answer-bar">
      <Failure text={answers.attempt.failure} />
      {!question.current && (
        <Button kind="primary" hotkey="l" disabled={isBusy} onPress={answers.lookAgain}>
          Look again
        </Button>
      )}
      {question.recoverable ? (
        <Approvals question={question} answers={answers} disabled={isBusy || refusal} />
      ) : (
        <Button kind="danger" hotkey="⇧A" disabled={isBusy || (refusal ?? false)} onPress={answers.approveFinal}>
          {titleOf(question).verb} for good…
        </Button>
      )}
      <Button hotkey="d" disabled={isBusy} onPress={answers.deny}>
        Deny…
      </Button>
      <span class="grow" />
      <Validity refusal={refusal} linesBelow={linesBelow} />
    </footer>
  );
}

interface ApprovalsProps {
  readonly question: WaitingQuestion;
  readonly answers: Answers;
  readonly disabled: boolean | string | undefined;
}

function Approvals({ question, answers, disabled = false }: ApprovalsProps) {
  const longer = question.repeatable ? disabled : "A yes to this holds only once";
  return (
    <>
      <Button kind={question.current ? "primary" : "small"} hotkey="a" disabled={disabled} onPress={answers.approve}>
        Approve once
      </Button>
      <Button hotkey="s" disabled={longer} onPress={answers.approveSession}>
        For this session
      </Button>
      <Button kind="quiet" disabled={longer} onPress={answers.approveAlways}>
        Always…
      </Button>
    </>
  );
}

function Validity({ refusal, linesBelow }: { readonly refusal: string | undefined; readonly linesBelow: number }) {
  if (refusal !== undefined)
    return (
      <span class="takeback warn">
        <Icon name="warn" />
        {refusal}
      </span>
    );
  if (linesBelow > 0)
    return (
      <span class="takeback warn">
        <Icon name="down" />
        {counted(linesBelow, "more line")} below
      </span>
    );
  return (
    <span class="takeback ok">
      <Icon name="check" />
      Unchanged since it was asked
    </span>
  );
}
