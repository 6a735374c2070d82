import { Icon } from "../atoms/icon.tsx";
import { pathParts } from "../format/path-parts.ts";
import { shown } from "../format/shown.ts";
import { overview } from "../state/console-state.ts";
import { switchTheme, theme } from "../state/theme.ts";
import { AnswerBar } from "./answer-bar.tsx";
import { SearchField } from "./search-field.tsx";

export const TopBar = ({ onHelp }: { readonly onHelp: () => void }) => (
  <header class="top">
    <h1 class="sr">Holdfast console</h1>
    <a class="phonebrand" href="#/timeline">
      <Icon name="mark" />
      <b>
        <bdi>{shown(pathParts(overview.value.value?.roots[0] ?? "Holdfast").name)}</bdi>
      </b>
    </a>
    <AnswerBar />
    <span class="grow" />
    <SearchField />
    <button class="ib" type="button" aria-label="Colour scheme" onClick={switchTheme}>
      <Icon name={theme.value === "dark" ? "sun" : "moon"} />
    </button>
    <button class="ib allkeys" type="button" aria-label="Keys" onClick={onHelp}>
      <Icon name="keys" />
    </button>
  </header>
);
