import { Icon } from "../atoms/icon.tsx";
import { overview } from "../state/console-state.ts";
import { hashOf } from "../state/route-of.ts";
import { route } from "../state/route.ts";
import { SCREEN_LIST, type ScreenEntry } from "./screen-list.ts";

const inTabs = ({ screen }: ScreenEntry): boolean => ["timeline", "waiting", "history", "jobs"].includes(screen);
const TABS: readonly ScreenEntry[] = [...SCREEN_LIST.filter(inTabs), { screen: "more", title: "More", icon: "more" }];
const MORE = SCREEN_LIST.filter((entry) => !inTabs(entry));

/** Leads to the screens on a phone: four of them, and the rest behind the fifth. */
export const TabBar = () => (
  <nav class="tabs" aria-label="Tabs">
    {TABS.map(({ screen, title, icon }) => (
      <a key={screen} href={hashOf({ screen })} {...(isHere(screen) && { "aria-current": "page" as const })}>
        <Icon name={icon} />
        <span>{title}</span>
        {screen === "waiting" && Boolean(overview.value.value?.waiting) && (
          <span class="badge">{overview.value.value?.waiting}</span>
        )}
      </a>
    ))}
  </nav>
);

const isHere = (screen: ScreenEntry["screen"]): boolean =>
  screen === route.value.screen || (screen === "more" && MORE.some((entry) => entry.screen === route.value.screen));

export const MoreScreen = () => (
  <section class="screen one on-more" aria-label="More">
    <ul class="morelist">
      {MORE.map(({ screen, title, icon }) => (
        <li key={screen}>
          <a href={hashOf({ screen })}>
            <Icon name={icon} />
            <span>{title}</span>
            <span class="grow" />
            <Icon name="chevron" />
          </a>
        </li>
      ))}
    </ul>
  </section>
);
