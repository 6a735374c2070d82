import { describe, expect, it } from "vitest";
import { preflight, shellSyntaxIn } from "../../../src/exec/shell/preflight.ts";

describe("preflight", () => {
  it.each([
    "npm run dev",
    "npm start",
    "cd app && npm run dev",
    "pnpm dev",
    "yarn start",
    "npx vite",
    "vite --port 3000",
    "next dev",
    "python3 -m http.server 8000",
    "tail -f log.txt",
    "tail -n 5 -F log.txt",
    "npm test -- --watch",
    "tsc -p . -w",
    "flask run",
    "docker compose up",
    "bash -c 'npm run dev'",
    "sudo nodemon x.js",
  ])("says that %s does not end", (command) => expect(preflight(command).servers).toHaveLength(1));

  it.each([
    "npm run build",
    "npm run dev:build",
    "npm test",
    "vite build",
    "next build",
    "npm run dev &",
    "timeout 5 npm start",
    "timeout 5 bash -c 'npm start'",
    "bash -c 'npm run dev' &",
    "tail -n 5 log.txt",
    "docker compose up -d",
    "npm test -- --watch=false",
    "echo npm start",
  ])("says nothing about %s", (command) => expect(preflight(command).servers).toEqual([]));

  it.each([
    ["git reset --hard", "changed files"],
    ["git reset --hard HEAD~1", "changed files"],
    ["git -C sub reset --hard", "changed files"],
    ["git -c a=b reset --hard", "changed files"],
    ["git checkout -- src", "changed files"],
    ["git checkout .", "changed files"],
    ["git checkout -f main", "changed files"],
    ["git restore src", "changed files"],
    ["git switch --discard-changes main", "changed files"],
    ["git clean -fdx", "untracked files"],
    ["git stash drop", "stashes"],
    ["git stash clear", "stashes"],
    ["git push --force", "remote"],
    ["git push -f origin main", "remote"],
    ["git push origin +main", "remote"],
    ["git branch -D x", "branches"],
    ["cd x && git reset --hard && ls", "changed files"],
    ["sh -c 'git reset --hard'", "changed files"],
    ["echo $(git reset --hard)", "changed files"],
    ["sudo git clean -f", "untracked files"],
    ["for i in 1; do git clean -f; done", "untracked files"],
  ])("recognises %s", (command, touches) => {
    expect(preflight(command).destructive).toEqual([expect.objectContaining({ touches })]);
  });

  it.each(["git reset HEAD x", "git checkout main", "git restore --staged x", "git clean -n", "git push", "git stash"])(
    "lets %s be",
    (command) => expect(preflight(command).destructive).toEqual([]),
  );

  it("names the directory of -C", () => {
    expect(preflight("git -C sub clean -f").destructive).toEqual([
      { command: "git clean -f", touches: "untracked files", directory: "sub" },
    ]);
  });

  it("names scripts, and finds shell syntax in them", () => {
    expect(preflight("cd x && python3 -u a.py && node b.mjs && node -e 1").scripts).toEqual([
      { language: "python", path: "a.py" },
      { language: "javascript", path: "b.mjs" },
    ]);
    expect(shellSyntaxIn({ language: "python", path: "a.py" }, "print($API_KEY)")).toBe(
      '`a.py` holds $API_KEY, which is shell syntax; write os.environ["API_KEY"]',
    );
    expect(shellSyntaxIn({ language: "javascript", path: "b.js" }, "fetch($BASE_URL)")).toMatch("process.env.BASE_URL");
    expect(shellSyntaxIn({ language: "python", path: "a.py" }, "x = '$API_KEY' # $HOME_DIR")).toBeUndefined();
  });
});
