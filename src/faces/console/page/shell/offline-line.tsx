import { Button } from "../atoms/button.tsx";
import { Icon } from "../atoms/icon.tsx";
import { clock } from "../format/time.ts";
import { refreshAll } from "../state/console-state.ts";
import { listen, silentSince } from "../state/live.ts";

/** Covers the key bar while the page hears nothing from the server. */
export const OfflineLine = () =>
  silentSince.value ? (
    <div class="banner offline" role="status">
      <Icon name="warn" />
      <span>
        <b>Not live since {clock(silentSince.value.toISOString(), "seconds")}.</b> The lists may be old; trying again
        every 5 s. Undo and approval still ask the server first.
      </span>
      <Button
        kind="small"
        onPress={() => {
          refreshAll();
          listen();
        }}
      >
        Try now
      </Button>
    </div>
  ) : null;
