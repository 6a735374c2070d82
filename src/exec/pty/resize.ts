import { Fault } from "../../base/errors.ts";
import { runProgram } from "../spawn.ts";
import type { ScreenSize } from "./terminal.ts";

/** Changes the size of a terminal by its device. The kernel tells the programs in it. */
export async function resizeDevice(device: string, { columns, rows }: ScreenSize): Promise<void> {
  const args = ["-F", device, "columns", String(columns), "rows", String(rows)];
  const { code } = await runProgram({ file: "stty", args, directory: "/" }, "", RESIZE_MS);
  if (code !== 0) throw new Fault("conflict", "Cannot resize the terminal of the job: it is closed");
}

const RESIZE_MS = 5000;
