import type { ByteSource } from "../byte-source.ts";
import { aiffFacts } from "./aiff.ts";
import { aviFacts } from "./avi.ts";
import { flacFacts } from "./flac.ts";
import { mp3Facts } from "./mp3.ts";
import { mp4Facts } from "./mp4.ts";
import { oggFacts } from "./ogg.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { wavFacts } from "./wav.ts";
import { webmFacts } from "./webm.ts";

/** Reads what the headers of sound or film tell; nothing for formats that are not known here. */
export const playableFactsOf = async (mime: string, source: ByteSource): Promise<PlayableFacts> =>
  (await READERS[mime]?.(source)) ?? {};

const READERS: Readonly<Record<string, (source: ByteSource) => Promise<PlayableFacts>>> = {
  "audio/aiff": aiffFacts,
  "audio/wav": wavFacts,
  "audio/flac": flacFacts,
  "audio/mpeg": mp3Facts,
  "audio/ogg": oggFacts,
  "audio/mp4": mp4Facts,
  "video/3gpp": mp4Facts,
  "video/mp4": mp4Facts,
  "video/quicktime": mp4Facts,
  "video/x-m4v": mp4Facts,
  "video/matroska": webmFacts,
  "video/vnd.avi": aviFacts,
  "video/webm": webmFacts,
};

/** Describes sound or film in words: "3 min 5.2 s, 44100 Hz, 2 channels". Is empty if nothing is known. */
export function describePlayable({ durationMs, width, height, sampleRate, channels }: PlayableFacts): string {
  return [
    ...(durationMs !== undefined && Number.isFinite(durationMs) ? [durationText(durationMs)] : []),
    ...(width !== undefined && height !== undefined ? [`${width}x${height} pixels`] : []),
    ...(sampleRate === undefined ? [] : [`${Math.round(sampleRate)} Hz`]),
    ...(channels === undefined ? [] : [channels === 1 ? "mono" : `${channels} channels`]),
  ].join(", ");
}

function durationText(durationMs: number): string {
  if (durationMs < 1000) return `${Math.max(1, Math.round(durationMs))} ms`;
  const seconds = Math.round(durationMs / 100) / 10;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} min ${Math.round(seconds - minutes * 60)} s`;
}
