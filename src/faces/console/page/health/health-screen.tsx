import type { Health, HealthRow, Meter as MeterValues } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { bytesText, counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { useActions } from "../keys/actions.ts";
import { useAttempt } from "../state/attempt.ts";
import { health, overview } from "../state/console-state.ts";
import { useResource } from "../state/resource.ts";
import { Meter } from "./meter.tsx";
import { SessionTable } from "./session-table.tsx";

/** Says whether everything is as it should be, and what needs a look. */
export function HealthScreen() {
  const loaded = useResource(health);
  const attempt = useAttempt();
  const check = (): void => attempt.run(() => health.load());
  useActions("screen", { checkAgain: check });
  return (
    <section class="screen one on-health" aria-label="Health">
      <div class="col list">
        <header class="bar">
          <h2 class="name">Health</h2>
          <span class="grow" />
          <Button kind="small" hotkey="r" disabled={attempt.isRunning} onPress={check}>
            Check again
          </Button>
        </header>
        <div class="scroll pad measure">
          <Failure text={health.failure.value} />
          {loaded && <Checks health={loaded} />}
          <SessionTable />
          <Versions />
        </div>
      </div>
    </section>
  );
}

const Versions = () => {
  const known = overview.value.value;
  return known ? (
    <p class="ver">
      Holdfast {known.version}, Node {known.node}
    </p>
  ) : null;
};

function Checks({ health: { rows, history, trash } }: { readonly health: Health }) {
  const bad = rows.filter(({ state }) => state !== "good");
  return (
    <>
      <p class={bad.length > 0 ? "verdict warn" : "verdict fine"}>
        <Icon name={bad.length > 0 ? "warn" : "check"} />
        <span>
          <b>{bad.length === 0 ? "Everything is as it should be." : `${counted(bad.length, "thing")} to look at.`}</b>
          {bad.length > 0 && " The rest is as it should be."}
        </span>
      </p>
      <table class="plain rows checks">
        <thead class="sr">
          <tr>
            <th>State</th>
            <th>Name</th>
            <th>Value</th>
            <th>Note</th>
          </tr>
        </thead>
        <tbody>
          {[...bad, ...rows.filter((row) => !bad.includes(row))].map((row) => (
            <CheckRow key={row.name} row={row} />
          ))}
          <MeterRow name="History" unit="change" values={history} />
          <MeterRow name="Trash" unit="thing" values={trash} />
        </tbody>
      </table>
    </>
  );
}

const CheckRow = ({ row: { name, text, note, state } }: { readonly row: HealthRow }) => (
  <tr class={state === "good" ? "ok" : "warn"}>
    <td class="role">
      <Icon name={state === "good" ? "check" : "warn"} />
      <span class="sr">{state === "good" ? "Good" : "Needs a look"}</span>
    </td>
    <th scope="row">{shown(name)}</th>
    <td>
      <bdi>{shown(text)}</bdi>
    </td>
    <td class="n2">
      <bdi>{shown(note ?? "")}</bdi>
    </td>
  </tr>
);

interface MeterRowProps {
  readonly name: string;
  readonly unit: string;
  readonly values: MeterValues;
}

const MeterRow = ({ name, unit, values: { count, bytes, mostBytes } }: MeterRowProps) => (
  <tr class="ok">
    <td class="role">
      <Icon name="check" />
      <span class="sr">Good</span>
    </td>
    <th scope="row">{name}</th>
    <td>
      {bytesText(bytes)} of {bytesText(mostBytes)} <Meter share={bytes / Math.max(1, mostBytes)} />
    </td>
    <td class="n2">{counted(count, unit)}</td>
  </tr>
);
