import { Icon } from "../atoms/icon.tsx";
import { Key } from "../atoms/key.tsx";
import { overview } from "../state/console-state.ts";
import { silentSince } from "../state/live.ts";
import { hashOf, type Screen } from "../state/route-of.ts";
import { route } from "../state/route.ts";
import { RootNames } from "./root-names.tsx";
import { SCREEN_LIST } from "./screen-list.ts";
import { SessionFilter } from "./session-filter.tsx";

/** Leads to the screens, limits lists to a session, and says whether the page is live. */
export const SideNav = () => (
  <aside class="side" aria-label="Console">
    <div class="brand">
      <Icon name="mark" />
      <b>Holdfast</b>
    </div>
    <RootNames />
    <nav aria-label="Screens">
      <ul>
        {SCREEN_LIST.map(({ screen, title, icon }, index) => (
          <li key={screen}>
            <a
              href={hashOf({ screen })}
              title={title}
              {...(route.value.screen === screen && { "aria-current": "page" as const })}
            >
              <Icon name={icon} />
              <span class="l">{title}</span>
              <Count screen={screen} />
              <span class="nk">
                <Key>{index + 1}</Key>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <SessionFilter />
    <p class="link">
      <span class={silentSince.value ? "pulse off" : "pulse"} />
      <span class="l">{silentSince.value ? "Not live" : "Live"}</span>
      <span class="sub2">{containmentWord(overview.value.value?.containment)}</span>
    </p>
  </aside>
);

/** Says in a word how strongly agents are confined; Health has the sentence. */
const containmentWord = (containment: string | undefined): string =>
  containment === undefined ? "" : containment === "best-effort" ? "best effort" : "contained";

function Count({ screen }: { readonly screen: Screen }) {
  const known = overview.value.value;
  if (!known) return null;
  if (screen === "waiting") return known.waiting > 0 ? <span class="badge">{known.waiting}</span> : null;
  if (screen === "trash" && known.trash > 0) return <span class="num">{known.trash}</span>;
  if (screen === "health" && known.needLook > 0) return <span class="num warn">{known.needLook}</span>;
  if (screen === "jobs" && known.runningJobs > 0)
    return (
      <span class="num">
        <span class="pulse" />
        {known.runningJobs}
      </span>
    );
  return null;
}
