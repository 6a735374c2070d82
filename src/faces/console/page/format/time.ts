import { counted } from "./quantity.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats the time of the day: "14:30", with seconds "14:30:08". */
export function clock(iso: string, precision: "minutes" | "seconds" = "minutes"): string {
  const time = new Date(iso);
  const parts = [time.getHours(), time.getMinutes(), ...(precision === "seconds" ? [time.getSeconds()] : [])];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** Names the day as a person would: "Today", "Yesterday", "Thu 12 Nov". */
export function dayName(iso: string, nowMs: number): string {
  const date = new Date(iso);
  const days = Math.round((midnight(new Date(nowMs)) - midnight(date)) / (DAY * 1000));
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days === -1) return "Tomorrow";
  return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]}`;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const midnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** Formats day and time within a sentence: "today 14:30". */
export function dayAndTime(iso: string, nowMs: number, precision: "minutes" | "seconds" = "minutes"): string {
  const day = dayName(iso, nowMs);
  return `${/^(Today|Yesterday|Tomorrow)$/.test(day) ? day.toLowerCase() : day} ${clock(iso, precision)}`;
}

/** Formats an age or a rest in its largest unit: "40 s", "6 min", "3 h", "2 d". */
export function briefSpan(seconds: number): string {
  const rest = Math.max(0, seconds);
  if (rest < MINUTE) return `${Math.floor(rest)} s`;
  if (rest < HOUR) return `${Math.floor(rest / MINUTE)} min`;
  if (rest < DAY) return `${Math.floor(rest / HOUR)} h`;
  return `${Math.floor(rest / DAY)} d`;
}

/** Formats a rest in two units: "23 h 07 min", "3 d 18 h". */
export function restSpan(seconds: number): string {
  const rest = Math.max(0, seconds);
  if (rest < HOUR) return briefSpan(rest);
  if (rest < DAY) return `${Math.floor(rest / HOUR)} h ${padded(Math.floor((rest % HOUR) / MINUTE))} min`;
  return `${Math.floor(rest / DAY)} d ${Math.floor((rest % DAY) / HOUR)} h`;
}

/** Formats how long something runs as a stopwatch does: "02:14", "1:02:14". */
export function stopwatch(seconds: number): string {
  const rest = Math.max(0, Math.floor(seconds));
  const minutes = `${padded(Math.floor((rest % HOUR) / MINUTE))}:${padded(rest % MINUTE)}`;
  return rest < HOUR ? minutes : `${Math.floor(rest / HOUR)}:${minutes}`;
}

/** Formats how long something took: "12 ms", "1.5 s", "14 s", "41 min". */
export const tookText = (seconds: number): string =>
  seconds < 0.1
    ? `${Math.round(Math.max(0, seconds) * 1000)} ms`
    : seconds < 10
      ? `${Math.max(0, seconds).toFixed(1).replace(/\.0$/, "")} s`
      : briefSpan(seconds);

/** Formats a pause between two events: "18 minutes quiet", "1 hour 12 minutes quiet". */
export function quietText(seconds: number): string {
  if (seconds >= DAY) return `${counted(Math.floor(seconds / DAY), "day")} quiet`;
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  const parts = [hours > 0 && counted(hours, "hour"), minutes > 0 && counted(minutes, "minute")];
  return `${parts.filter((part) => part !== false).join(" ")} quiet`;
}

/** Returns the seconds from one time to another. */
export const secondsFrom = (iso: string, toMs: number): number => (toMs - Date.parse(iso)) / 1000;

const padded = (part: number): string => String(part).padStart(2, "0");
