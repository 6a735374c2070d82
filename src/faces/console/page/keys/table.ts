/** A key of the console: the action it stands for, and its words in the bar and in the list of all keys. */
export interface KeyEntry {
  readonly action: Action;
  readonly keys: readonly string[];
  /** The keys as they are printed, if that differs. */
  readonly printed?: readonly string[];
  readonly label: string;
  /** Rare keys are only in the list of all keys; one that is printed with another is nowhere else. */
  readonly shown?: "list" | "nowhere";
}

export type Action =
  | "down"
  | "up"
  | "top"
  | "bottom"
  | "open"
  | "back"
  | "search"
  | "undo"
  | "undoSession"
  | "restore"
  | "answer"
  | "approve"
  | "approveSession"
  | "approveFinal"
  | "deny"
  | "lookAgain"
  | "pick"
  | "view"
  | "nextFile"
  | "previousFile"
  | "follow"
  | "stop"
  | "checkAgain"
  | "copyLink"
  | "colors"
  | "help"
  | "screen";

/** Lists all keys in the order in which they are shown. One key may stand for two actions that never meet. */
export const KEYS: readonly KeyEntry[] = [
  { action: "down", keys: ["j", "ArrowDown"], printed: ["j", "k"], label: "move" },
  { action: "up", keys: ["k", "ArrowUp"], label: "move up", shown: "nowhere" },
  { action: "top", keys: ["g", "Home"], printed: ["g"], label: "to the top", shown: "list" },
  { action: "bottom", keys: ["G", "End"], printed: ["G"], label: "to the end", shown: "list" },
  { action: "open", keys: ["Enter"], printed: ["↵"], label: "open" },
  { action: "answer", keys: ["a"], label: "answer" },
  { action: "approve", keys: ["a"], label: "approve once" },
  { action: "approveSession", keys: ["s"], label: "this session" },
  { action: "approveFinal", keys: ["A"], printed: ["⇧A"], label: "approve for good" },
  { action: "deny", keys: ["d"], label: "deny" },
  { action: "lookAgain", keys: ["l"], label: "look again" },
  { action: "undo", keys: ["u"], label: "undo" },
  { action: "undoSession", keys: ["U"], label: "undo the session" },
  { action: "restore", keys: ["r"], label: "restore" },
  { action: "checkAgain", keys: ["r"], label: "check again" },
  { action: "stop", keys: ["x"], label: "stop" },
  { action: "follow", keys: ["f"], label: "follow" },
  { action: "pick", keys: ["m"], label: "compare with" },
  { action: "view", keys: ["v"], label: "unified, split" },
  { action: "nextFile", keys: ["n"], printed: ["n", "p"], label: "next file" },
  { action: "previousFile", keys: ["p"], label: "previous file", shown: "nowhere" },
  { action: "back", keys: ["Escape"], printed: ["esc"], label: "back" },
  { action: "search", keys: ["/"], label: "search" },
  { action: "screen", keys: ["1", "2", "3", "4", "5", "6", "7", "8"], printed: ["1–8"], label: "screens" },
  { action: "copyLink", keys: ["y"], label: "copy link", shown: "list" },
  { action: "colors", keys: ["c"], label: "colours", shown: "list" },
  { action: "help", keys: ["?"], label: "all keys", shown: "list" },
];

/** A key as the browser reports it, and what had the focus. */
export interface Press {
  readonly key: string;
  readonly hasModifier: boolean;
  /** Is true in a text field or a list of choices, and while a dialog is open. */
  readonly isTyping: boolean;
  /** Is true on a button or a link, which take Enter themselves. */
  readonly isOnControl: boolean;
  /** Is true in a diff or an output, which arrows scroll. */
  readonly isOnScroller: boolean;
}

/** Returns the action of a key among those that work now. No key acts in a field, nor with Ctrl, Alt or Cmd. */
export function actionOf(press: Press, works: (action: Action) => boolean): Action | undefined {
  if (press.hasModifier || press.isTyping) return undefined;
  if (press.isOnControl && press.key === "Enter") return undefined;
  if (press.isOnScroller && SCROLLING.has(press.key)) return undefined;
  return KEYS.find(({ action, keys }) => keys.includes(press.key) && works(action))?.action;
}

const SCROLLING: ReadonlySet<string> = new Set(["ArrowUp", "ArrowDown", "Home", "End"]);

/** Returns the keys of the bar for the actions that work now. */
export const barKeys = (works: (action: Action) => boolean): readonly KeyEntry[] =>
  KEYS.filter(({ action, shown }) => shown === undefined && works(action));

/** Returns the keys of the list of all keys. */
export const listedKeys = (): readonly KeyEntry[] => KEYS.filter(({ shown }) => shown !== "nowhere");

export const printedKeys = ({ printed, keys }: KeyEntry): readonly string[] => printed ?? keys;
