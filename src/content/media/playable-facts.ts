/** Describes sound or film by headers alone. */
export interface PlayableFacts {
  readonly durationMs?: number | undefined;
  readonly sampleRate?: number | undefined;
  readonly channels?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}
