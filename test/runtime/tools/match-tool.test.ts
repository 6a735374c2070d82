import { expect, it } from "vitest";
import { matchesTool } from "../../../src/runtime/tools/match-tool.ts";

const SEND = { name: "sendEmail", plugin: "mail", otherNames: ["sendMail"] };

it.each([
  { entry: "sendEmail", isMatch: true },
  { entry: "sendemail", isMatch: true },
  { entry: "send*", isMatch: true },
  { entry: "*Email", isMatch: true },
  { entry: "sendMail", isMatch: true },
  { entry: "MAIL", isMatch: true },
  { entry: "sendEmails", isMatch: false },
])("a list matches a tool with capitals in its name: $entry", ({ entry, isMatch }) => {
  expect(matchesTool(entry, SEND)).toBe(isMatch);
});
