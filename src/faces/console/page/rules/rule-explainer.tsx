import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Explanation } from "../../contract.ts";
import { Failure } from "../atoms/callout.tsx";
import { Key } from "../atoms/key.tsx";
import { shown } from "../format/shown.ts";
import { get } from "../state/api.ts";
import { useAttempt } from "../state/attempt.ts";
import { RuleTable } from "./rule-table.tsx";
import { Verdict } from "./verdict.tsx";

/** The acts that a person asks about; commands are `exec`. */
const ACTS = ["write", "read", "create", "delete", "move", "exec"] as const;

interface Explained extends Explanation {
  readonly act: string;
  readonly subject: string;
}

/** Answers "May an agent write this path?" with the rule that decides. */
export function RuleExplainer() {
  const [act, subject] = [useRef<HTMLSelectElement>(null), useRef<HTMLInputElement>(null)];
  const explained = useSignal<Explained | undefined>(undefined);
  const attempt = useAttempt();
  const explain = async (): Promise<void> => {
    const asked = { act: act.current?.value ?? "write", subject: subject.current?.value.trim() ?? "" };
    explained.value = { ...(await get<Explanation>("/api/explain", asked)), ...asked };
  };
  return (
    <>
      <form
        class="explain"
        onSubmit={(event) => {
          event.preventDefault();
          attempt.run(explain);
        }}
      >
        <label for="act">May an agent</label>
        <select id="act" ref={act}>
          {ACTS.map((each) => (
            <option key={each} value={each}>
              {each === "exec" ? "run" : each}
            </option>
          ))}
        </select>
        <label class="sr" for="subject">
          Path or command
        </label>
        <input
          id="subject"
          ref={subject}
          type="text"
          required
          spellcheck={false}
          autocomplete="off"
          placeholder="src/app.ts"
        />
        <button class="btn" type="submit" disabled={attempt.isRunning}>
          Explain <Key>↵</Key>
        </button>
      </form>
      <Failure text={attempt.failure} />
      {explained.value && <Answer explained={explained.value} />}
    </>
  );
}

/** Begins a sentence about an act: "An agent may not" write a path. */
const SENTENCES: Readonly<Record<string, string>> = {
  blocked: "An agent may not",
  approval: "You are asked before an agent may",
  notify: "You are told when agents",
  autonomous: "An agent may",
};

const Answer = ({ explained: { verdict, reasons, matching, act, subject } }: { readonly explained: Explained }) => (
  <div aria-live="polite">
    <p class="verdict">
      <Verdict verdict={verdict} />
      <span>
        {SENTENCES[verdict] ?? "An agent may"} {act === "exec" ? "run" : act}{" "}
        <code>
          <bdi>{shown(subject)}</bdi>
        </code>
        {reasons.length > 0 ? ": " : "."}
        <bdi>{shown(reasons.join("; "))}</bdi>
      </span>
    </p>
    {matching.length > 0 && <RuleTable caption="Rules that match" rules={matching} firstDecides />}
  </div>
);
