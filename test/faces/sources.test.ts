import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { operatorPlaces } from "../../src/config/places.ts";
import { sourcesFor } from "../../src/app/merged-settings.ts";
import { readSettings } from "../../src/faces/cli/flags.ts";
import { scratch } from "../runtime/scratch.ts";

it.each([
  { name: "nothing said", files: {}, argv: [], are: {} },
  { name: "a file", files: { user: { sources: { a: "/a" } } }, argv: [], are: { a: "/a" } },
  {
    name: "a flag instead of the user's file",
    files: { user: { sources: { a: "/a" } } },
    argv: ["--source", "b=/b"],
    are: { b: "/b" },
  },
  {
    name: "a flag that only says which",
    files: { user: { sources: { a: "/a" } } },
    argv: ["--source", "a"],
    are: { a: "/a" },
  },
  {
    name: "a name that the machine has taken",
    files: { system: { sources: { a: "/machine" } }, user: { sources: { a: "/user" } } },
    argv: ["--source", "a=/flag", "--source", "b=/b"],
    are: { a: "/machine", b: "/b" },
  },
  {
    name: "a machine that fixes its directories",
    files: { organisation: { roots: ["/work"], sources: { a: "/a" } }, user: { sources: { b: "/" } } },
    argv: ["--source", "c=/"],
    are: { a: "/a" },
  },
  { name: "one that has no sources", files: { system: { roots: ["/work"] } }, argv: ["--source", "c=/"], are: {} },
])("sources: $name", ({ files, argv, are }) => {
  const home = dirname(scratch());
  const own = join(home, "user.jsonc");
  const written = { system: "etc/config.jsonc", organisation: "etc/organisation.jsonc", user: "user.jsonc" };
  mkdirSync(join(home, "etc"));
  for (const [layer, config] of Object.entries({ user: {}, ...files }))
    writeFileSync(join(home, written[layer as keyof typeof written]), JSON.stringify(config));
  const given = loadConfig(operatorPlaces({}, own, join(home, "etc")));
  expect(sourcesFor(readSettings(argv, {}), given)).toEqual(are);
});
