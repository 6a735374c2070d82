import { gateContract } from "./gate-contract.ts";

// Joined here, so that this file passes the check it tests.
const place = (...segments: readonly string[]) => ["", ...segments].join("/");
const host = (...labels: readonly string[]) => labels.join(".");

const clean = {
  "README.md": "See src/work/notes.md, ~/work/notes.md and https://example.com/a\n",
  ".gitignore": "ignored.md\n",
  "ignored.md": place("root", "notes"),
};

gateContract("check-portable.mjs", clean, [
  {
    name: "a work folder",
    tree: { "docs/a.md": `First line\nSee ${place("work", "main")}\n` },
    says: `docs/a.md:2: names ${place("work", "")}`,
  },
  {
    name: "a home folder",
    tree: { "src/a.ts": `const path = "${place("root", ".ssh")}";\n` },
    says: `src/a.ts:1: names ${place("root", "")}`,
  },
  {
    name: "a temporary folder",
    tree: { "bench/run.mjs": `const path = "${place("tmp", "holdfast-bench")}";\n` },
    says: "bench/run.mjs:1: names",
  },
  {
    name: "a registry",
    tree: { ".npmrc": `registry=https://${host("registry", "npmjs", "org")}/\n` },
    says: ".npmrc:1: names",
  },
  {
    name: "a download address in the lockfile",
    tree: { "package-lock.json": `{ ${['"resolved"', '"https://example.com/a.tgz"'].join(": ")} }\n` },
    says: "package-lock.json:1: names",
  },
]);
