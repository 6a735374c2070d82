/** Removes what colours and moves on a terminal, and lets a carriage return start its line anew. */
export function plainOutput(text: string): string {
  const [first = "", ...escaped] = text.replaceAll("\r\n", "\n").split(ESCAPE);
  return [first, ...escaped.map((part) => part.replace(SEQUENCE, ""))]
    .join("")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1))
    .join("\n");
}

const ESCAPE = "\u001B";

/** Matches what follows an escape: a control sequence (CSI), an operating system command (OSC), or a short one. */
const SEQUENCE = /^(?:\[[0-?]*[ -/]*[@-~]|\][^\p{Cc}]*(?:(?!\n)\p{Cc})?|[ -/]*[0-~])/u;
