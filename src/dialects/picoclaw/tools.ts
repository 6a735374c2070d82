import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import { quoted } from "../../text/quote.ts";
import { ADDITIVE, DESTRUCTIVE, READ_ONLY } from "../../tools/tool.ts";
import { allEntries } from "../all-entries.ts";
import { dialectTool, type DialectAnswer, textAnswer } from "../dialect.ts";
import { wholeText } from "../whole-file.ts";
import { inFirstRoot } from "../in-first-root.ts";

const path = z.string().max(LIMITS.pathBytes).describe("Absolute, or relative to the workspace");
const text = z.string().max(LIMITS.messageBytes);
const message = z.object({ message: z.string() });

export const readFile = dialectTool({
  name: "read_file",
  title: "Read a file",
  description: "Read all of a file as text.",
  annotations: READ_ONLY,
  input: z.strictObject({ path }),
  output: z.object({ content: z.string() }),
  uses: ["read"],
  async run({ path: file }, native) {
    const content = await wholeText(native, inFirstRoot(file, native));
    return textAnswer(content, { content });
  },
});

export const writeFile = dialectTool({
  name: "write_file",
  title: "Write a file",
  description: "Create or replace a file, with the directories above it.",
  annotations: { ...DESTRUCTIVE, idempotentHint: true },
  input: z.strictObject({ path, content: text }),
  output: message,
  uses: ["write"],
  async run({ path: file, content }, native) {
    // Without an encoding, the native tool would keep the file's own encoding and line ends.
    await native.call("write", { path: inFirstRoot(file, native), content, encoding: "utf-8", overwrite: true });
    return silentAnswer(`File written: ${file}`);
  },
});

export const listDir = dialectTool({
  name: "list_dir",
  title: "List a directory",
  description: "Files and directories in one directory.",
  annotations: READ_ONLY,
  input: z.strictObject({ path: path.default(".") }),
  output: z.object({ entries: z.string() }),
  uses: ["ls"],
  async run({ path: directory }, native) {
    const found = await allEntries(native, inFirstRoot(directory, native));
    // Links are listed as files, even those to directories, because they are not followed.
    const lines = found.map(({ name, type }) => `${type === "directory" ? "DIR: " : "FILE:"} ${quoted(name)}\n`);
    const entries = lines.join("");
    return textAnswer(entries, { entries });
  },
});

export const editFile = dialectTool({
  name: "edit_file",
  title: "Edit a file",
  description: "Replace old_text, which must be in the file exactly once, by new_text.",
  annotations: DESTRUCTIVE,
  input: z.strictObject({ path, old_text: text, new_text: text }),
  output: message,
  uses: ["edit"],
  async run({ path: file, old_text: oldText, new_text: newText }, native) {
    await native.call("edit", { path: inFirstRoot(file, native), edits: [{ oldText, newText }] });
    return silentAnswer(`File edited: ${file}`);
  },
});

export const appendFile = dialectTool({
  name: "append_file",
  title: "Append to a file",
  description: "Add text to the end of a file; a new file if there is none.",
  annotations: ADDITIVE,
  input: z.strictObject({ path, content: text }),
  output: message,
  uses: ["write"],
  async run({ path: file, content }, native) {
    await native.call("write", { path: inFirstRoot(file, native), content, append: true });
    return silentAnswer(`Appended to ${file}`);
  },
});

/** Marks the message as silent: only the model needs it. */
const silentAnswer = (content: string): DialectAnswer => ({
  ...textAnswer(content, { message: content }),
  isSilent: true,
});
