import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { FilesScreen } from "../files/files-screen.tsx";
import { HealthScreen } from "../health/health-screen.tsx";
import { HistoryScreen } from "../history/history-screen.tsx";
import { JobsScreen } from "../jobs/jobs-screen.tsx";
import { useActions } from "../keys/actions.ts";
import { KeyBar } from "../keys/key-bar.tsx";
import { KeysDialog } from "../keys/keys-dialog.tsx";
import { RulesScreen } from "../rules/rules-screen.tsx";
import { isSignedOut } from "../state/api.ts";
import { overview } from "../state/console-state.ts";
import { useResource } from "../state/resource.ts";
import { type Screen, SCREENS } from "../state/route-of.ts";
import { open, route } from "../state/route.ts";
import { switchTheme } from "../state/theme.ts";
import { say } from "../state/toast.ts";
import { TimelineScreen } from "../timeline/timeline-screen.tsx";
import { TrashScreen } from "../trash/trash-screen.tsx";
import { WaitingScreen } from "../waiting/waiting-screen.tsx";
import { OfflineLine } from "./offline-line.tsx";
import { SideNav } from "./side-nav.tsx";
import { SignedOut } from "./signed-out.tsx";
import { MoreScreen, TabBar } from "./tab-bar.tsx";
import { ToastLine } from "./toast-line.tsx";
import { TopBar } from "./top-bar.tsx";

const COMPONENTS: Readonly<Record<Screen, () => preact.JSX.Element>> = {
  timeline: TimelineScreen,
  waiting: WaitingScreen,
  history: HistoryScreen,
  files: FilesScreen,
  trash: TrashScreen,
  jobs: JobsScreen,
  rules: RulesScreen,
  health: HealthScreen,
  more: MoreScreen,
};

/** The page: navigation, answers and keys around the screen that the address names. */
export function AppShell() {
  const waiting = useResource(overview)?.waiting ?? 0;
  const hasHelp = useSignal(false);
  const help = (): void => void (hasHelp.value = true);
  useEffect(() => void (document.title = waiting > 0 ? `(${waiting}) Holdfast` : "Holdfast"), [waiting]);
  useActions("shell", {
    help,
    colors: switchTheme,
    copyLink: () => void navigator.clipboard.writeText(location.href).then(() => say("Copied the link.")),
    screen: (key) => open({ screen: SCREENS[Number(key) - 1] ?? "timeline" }),
    ...(route.value.id !== undefined && { back: () => open({ screen: route.peek().screen }) }),
  });
  if (isSignedOut.value) return <SignedOut />;
  const Shown = COMPONENTS[route.value.screen];
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the list
      </a>
      <div class="app">
        <SideNav />
        <TopBar onHelp={help} />
        <OfflineLine />
        <main id="main" tabIndex={-1}>
          <Shown />
        </main>
        <KeyBar onHelp={help} />
        <TabBar />
      </div>
      <ToastLine />
      {hasHelp.value && <KeysDialog onClose={() => (hasHelp.value = false)} />}
    </>
  );
}

/** The address names the screen, so the link must not change it. */
function skipToMain(click: MouseEvent): void {
  click.preventDefault();
  document.querySelector<HTMLElement>("main [data-row][tabindex='0'], main")?.focus();
}
