import type { IconName } from "../atoms/icons.ts";
import type { Screen } from "../state/route-of.ts";

/** A screen in the navigation. */
export interface ScreenEntry {
  readonly screen: Screen;
  readonly title: string;
  readonly icon: IconName;
}

/** The screens in the order of their keys. */
export const SCREEN_LIST: readonly ScreenEntry[] = [
  { screen: "timeline", title: "Timeline", icon: "timeline" },
  { screen: "waiting", title: "Waiting", icon: "hourglass" },
  { screen: "history", title: "History", icon: "history" },
  { screen: "files", title: "Files", icon: "files" },
  { screen: "trash", title: "Trash", icon: "trash" },
  { screen: "jobs", title: "Jobs", icon: "jobs" },
  { screen: "rules", title: "Rules", icon: "rules" },
  { screen: "health", title: "Health", icon: "health" },
];
