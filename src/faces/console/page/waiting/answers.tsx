import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { AnswerRequest, WaitingQuestion } from "../../contract.ts";
import { Confirm } from "../atoms/confirm.tsx";
import { shown } from "../format/shown.ts";
import { type Actions, useActions } from "../keys/actions.ts";
import { post } from "../state/api.ts";
import { type Attempt, useAttempt } from "../state/attempt.ts";
import { refreshAfter, waiting } from "../state/console-state.ts";
import { say } from "../state/toast.ts";
import { DenyDialog } from "./deny-dialog.tsx";
import { refusalOf, titleOf } from "./question-text.ts";

/** The ways to answer a question, for buttons and keys alike. */
export interface Answers {
  readonly attempt: Attempt;
  approve(): void;
  approveSession(): void;
  approveAlways(): void;
  approveFinal(): void;
  deny(): void;
  lookAgain(): void;
  /** The dialog that is open, if any. */
  readonly dialog: ComponentChildren;
}

/** Offers the answers to a question while it is shown. A yes that cannot be taken back is asked for once more. */
export function useAnswers(question: WaitingQuestion | undefined, onAnswered: () => void): Answers {
  const asked = useSignal<"deny" | "final" | "always" | undefined>(undefined);
  const attempt = useAttempt();
  const give = (answer: AnswerRequest): void => {
    if (question) attempt.run(() => send(question, answer).then(onAnswered));
  };
  const answers = {
    attempt,
    approve: () => give({ decision: "once" }),
    approveSession: () => give({ decision: "session" }),
    approveAlways: () => void (asked.value = "always"),
    approveFinal: () => void (asked.value = "final"),
    deny: () => void (asked.value = "deny"),
    lookAgain: () => attempt.run(() => waiting.load()),
  };
  const isSeen = useSeen(question?.id);
  useActions("screen", question ? keysOf(question, answers, isSeen) : {});
  const close = (): void => void (asked.value = undefined);
  const dialog = question && asked.value && (
    <AnswerDialog question={question} kind={asked.value} give={give} onClose={close} />
  );
  return { ...answers, dialog };
}

async function send({ id }: WaitingQuestion, answer: AnswerRequest): Promise<void> {
  try {
    await post(`/api/waiting/${encodeURIComponent(id)}`, answer);
    say(SAID[answer.decision]);
  } finally {
    refreshAfter("waiting");
  }
}

const SAID: Readonly<Record<AnswerRequest["decision"], string>> = {
  once: "Approved once. The agent goes on.",
  session: "Approved for this session. The agent goes on.",
  always: "Approved for 30 days. See it under Rules.",
  deny: "Denied. The agent is told why.",
};

/** A key pressed twice by accident answers nothing: the effect must have been in view for this long. */
const SEEN_MS = 600;

/** Returns a function that says whether the question has been in view long enough for a key to answer it. */
function useSeen(id: string | undefined): () => boolean {
  const since = useRef({ id, ms: performance.now() });
  if (since.current.id !== id) since.current = { id, ms: performance.now() };
  return () => performance.now() - since.current.ms >= SEEN_MS;
}

/** Returns the keys that answer this question: what cannot be taken back has another key. */
function keysOf(question: WaitingQuestion, answers: Omit<Answers, "dialog">, isSeen: () => boolean): Actions {
  if (question.state !== "pending") return {};
  const always: Actions = { deny: answers.deny, lookAgain: answers.lookAgain };
  if (refusalOf(question) !== undefined) return always;
  if (!question.recoverable) return { ...always, approveFinal: answers.approveFinal };
  const once: Actions = { ...always, approve: () => isSeen() && answers.approve() };
  return question.repeatable ? { ...once, approveSession: () => isSeen() && answers.approveSession() } : once;
}

interface AnswerDialogProps {
  readonly question: WaitingQuestion;
  readonly kind: "deny" | "final" | "always";
  readonly give: (answer: AnswerRequest) => void;
  readonly onClose: () => void;
}

function AnswerDialog({ question, kind, give, onClose }: AnswerDialogProps) {
  if (kind === "deny") return <DenyDialog onDeny={(reason) => give({ decision: "deny", reason })} onClose={onClose} />;
  const { verb, subject } = titleOf(question);
  const decision = kind === "final" ? "once" : "always";
  return (
    <Confirm
      title={kind === "final" ? "This cannot be taken back" : "Allow for 30 days?"}
      action={kind === "final" ? `${verb} for good` : "Allow for 30 days"}
      kind={kind === "final" ? "danger" : "primary"}
      onConfirm={() => give({ decision })}
      onClose={onClose}
    >
      {verb} <code>{shown(subject)}</code>
      {kind === "final" && ". The history keeps no copy."}
      {kind === "always" && ". The same is not asked again for 30 days. You can revoke it on Rules."}
    </Confirm>
  );
}
