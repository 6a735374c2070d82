/** Runs mixed calls of many clients for a while. Returns what to print. */
export function httpReport(
  options: { readonly clients: number; readonly seconds: number; readonly isAlone?: boolean },
  say?: (text: string) => void,
): Promise<string>;
