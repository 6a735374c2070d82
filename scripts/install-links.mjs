/**
 * Returns the badges of the README that add the installed program to a client in one click. They name the program and
 * no package: a link that let a client download something could bring a stranger's.
 */
export function installLinks({ name }) {
  const config = { command: name, args: ["${workspaceFolder}"] };
  const json = encodeURIComponent(JSON.stringify(config));
  const base64 = encodeURIComponent(Buffer.from(JSON.stringify(config)).toString("base64"));
  const vscode = `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${json}`;
  const links = {
    "VS Code": vscode,
    "VS Code Insiders": `${vscode}&quality=insiders`,
    Cursor: `https://cursor.com/en/install-mcp?name=${name}&config=${base64}`,
  };
  return Object.entries(links).map(
    ([client, link]) => `[![${client.replaceAll(" ", "&nbsp;")}](${badge(client)})](${link})`,
  );
}

const badge = (client) => `https://img.shields.io/badge/install_in-${client.replaceAll(" ", "_")}-2b6cb0`;

/** Replaces what is between the marks of a document by the badges. */
export function withInstallLinks(text, links) {
  const [before, , after] = text.split(MARK);
  if (after === undefined) throw new Error("Cannot write the links: the document has no two marks for them");
  return [before, `\n${links.join("\n")}\n`, after].join(MARK);
}

const MARK = "<!-- install links: node scripts/write-install-links.mjs -->";
