/** Creates a text of about so many bytes, in lines that all differ. */
const textOf = (bytes) => Array.from({ length: Math.round(bytes / 64) }, (_, at) => lineOf(at)).join("");
const lineOf = (at) => `${String(at).padStart(5, "0")} The tide comes in twice a day, and leaves by itself.....\n`;

const NUMBERS = [1, 2, 3, 4, 5];

/** Path → text of the scratch workspace. */
export const FILES = {
  "first/page.txt": textOf(50_000),
  "second/page.txt": textOf(50_000),
  "first/note.txt": textOf(10_000),
  "second/note.txt": textOf(10_000),
  ...Object.fromEntries(NUMBERS.map((number) => [`part${number}/notes.md`, `# Part ${number}\n\nNot yet written.\n`])),
};

/** Thirty calls as an agent makes them before: what a call costs may depend on what was done in the session. */
export const HISTORY = NUMBERS.flatMap((number) => [
  ["ls", { path: `part${number}` }],
  ["read", { path: `part${number}/notes.md` }],
  ["grep", { pattern: `Part ${number}` }],
  ["edit", { path: `part${number}/notes.md`, edits: [{ oldText: "Not yet", newText: "Well" }] }],
  ["write", { path: `part${number}/index.md`, content: `See notes of ${number}.\n` }],
  ["stat", { path: `part${number}/index.md` }],
]);

/** Tool → the calls that are traced; each is made twice, in different folders, and the second is the one that counts. */
export const TRACED = {
  read: [(folder) => ["read", { path: `${folder}/page.txt` }]],
  edit: [
    (folder) => ["read", { path: `${folder}/note.txt` }],
    (folder) => ["edit", { path: `${folder}/note.txt`, edits: [{ oldText: "00077 The", newText: "00077 Then the" }] }],
  ],
  move: [(folder) => ["move", { source: `${folder}/note.txt`, destination: `${folder}/kept.txt` }]],
};
