import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { plant, run } from "../checks/script.ts";

const MARK = "<!-- install links: node scripts/write-install-links.mjs -->";
const CONFIG = { command: "holdfast", args: ["${workspaceFolder}"] };

/** Returns the addresses of the badges in the README, by their texts. */
const linksIn = (text: string): Readonly<Record<string, URL>> =>
  Object.fromEntries(
    [...text.matchAll(/^\[!\[(\S+)\]\(\S+?\)\]\((\S+)\)$/gm)].map(([, name = "", link = ""]) => [name, new URL(link)]),
  );

it("each badge of the README adds the installed command to its client", () => {
  const links = linksIn(readFileSync("README.md", "utf8"));
  const added = Object.entries(links).map(([client, { host, pathname, searchParams }]) => {
    const config = searchParams.get("config") ?? "";
    const json = client === "Cursor" ? Buffer.from(config, "base64").toString() : config;
    return [client, host + pathname, searchParams.get("name"), JSON.parse(json), searchParams.get("quality")];
  });
  const redirect = "insiders.vscode.dev/redirect/mcp/install";
  expect(added).toEqual([
    ["VS&nbsp;Code", redirect, "holdfast", CONFIG, null],
    ["VS&nbsp;Code&nbsp;Insiders", redirect, "holdfast", CONFIG, "insiders"],
    ["Cursor", "cursor.com/en/install-mcp", "holdfast", CONFIG, null],
  ]);
});

it("fails until the links on disk are those of the package", () => {
  const root = plant({ "package.json": '{ "name": "other" }', "README.md": `# Other\n${MARK}\nold\n${MARK}\nEnd\n` });
  expect(run("write-install-links.mjs", root, "--check")).toMatchObject({
    passed: false,
    output: expect.stringContaining("README.md: its install links are out of date"),
  });
  expect(run("write-install-links.mjs", root)).toMatchObject({ passed: true });
  expect(run("write-install-links.mjs", root, "--check")).toMatchObject({ passed: true });
  const text = readFileSync(join(root, "README.md"), "utf8");
  expect([text.startsWith(`# Other\n${MARK}\n[![`), text.endsWith(`)\n${MARK}\nEnd\n`)]).toEqual([true, true]);
});

it("fails without a place for the links", () => {
  const root = plant({ "package.json": '{ "name": "other" }', "README.md": "# Other\n" });
  expect(run("write-install-links.mjs", root)).toMatchObject({ passed: false });
});
