/** Holds what was measured of one server. */
export interface HttpFigures {
  readonly calls: number;
  readonly errors: number;
  readonly memory: { readonly peak: number };
}

/** Runs mixed calls of many clients for a while. */
export function measureHttp(
  options: { readonly clients: number; readonly seconds: number; readonly isAlone?: boolean },
  say?: (text: string) => void,
): Promise<readonly [HttpFigures, ...HttpFigures[]]>;

/** Formats what was measured. */
export function httpReport(
  figures: readonly HttpFigures[],
  options: { readonly clients: number; readonly seconds: number },
): string;
