import type { ChangeIntent, OutwardIntent, WatchIntent } from "../../tools/tool.ts";
import type { CommandIntent } from "../commands/command-intent.ts";

/** An intent that does more than answer, ready to be decided about. */
export type EffectfulIntent = ChangeIntent | WatchIntent | OutwardIntent | CommandIntent;
