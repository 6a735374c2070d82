import { isoOf } from "../../base/time.ts";
import type { ApprovalRequest } from "./approval.ts";
import { questionLines, toolAsked } from "../effects/effect-text.ts";

/**
 * Renders a question for a browser, with two buttons and no script. Deny comes first, since Enter presses the first.
 */
export function questionPage(request: ApprovalRequest): string {
  const until = `Answer before ${isoOf(request.expiresMs)}.`;
  return htmlPage(
    `Allow ${toolAsked(request)}?`,
    `<pre>${escapeHtml(questionLines(request).join("\n"))}</pre>
<form method="post">
<p><input name="reason" maxlength="500" placeholder="Why not (the agent is told)"></p>
<p><button name="decision" value="deny">Deny</button> <button name="decision" value="once">Allow once</button></p>
</form>
<p>${escapeHtml(until)}</p>`,
  );
}

/** Renders the result of an answer, or the reason why there is nothing to answer. */
export const messagePage = (message: string): string => htmlPage("Approval", `<p>${escapeHtml(message)}</p>`);

const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>body{font:16px system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
</head><body><h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`;

/** Escapes text so that no name and no content of a file becomes markup. */
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Forbids loading, scripts, frames, caching and referrers. */
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close",
} as const;
