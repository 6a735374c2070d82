import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LoadedConfig, loadConfig } from "../../src/config/load.ts";
import { operatorPlaces, workspacePlaces } from "../../src/config/places.ts";
import { scratch } from "../runtime/scratch.ts";
import { needs } from "../programs.ts";

interface Files {
  readonly system?: string;
  readonly organisation?: string;
  readonly user?: string;
  readonly workspace?: string;
}

/** A machine with these files on it. */
function machine(files: Files) {
  const root = scratch();
  const home = dirname(root);
  const at = {
    system: join(home, "etc", "config.jsonc"),
    organisation: join(home, "etc", "organisation.jsonc"),
    user: join(home, "config", "holdfast", "config.jsonc"),
    workspace: join(root, ".holdfast.jsonc"),
  };
  for (const [layer, text] of Object.entries(files)) {
    const file = at[layer as keyof Files];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const env = { XDG_CONFIG_HOME: join(home, "config") };
  const places = [...operatorPlaces(env, undefined, join(home, "etc")), ...workspacePlaces([root])];
  return { root, home, at, places };
}

const load = (files: Files): LoadedConfig => loadConfig(machine(files).places);

describe("what is wrong in a file", () => {
  it.each([
    {
      name: "an unknown key",
      user: '{\n  "polcy": {}\n}',
      says: ':2: there is no key "polcy"; did you mean "policy"?',
    },
    {
      name: "an unknown key further in",
      user: '{ "tools": {\n "profil": "full" } }',
      says: ':2: there is no key "profil" in tools; did you mean "profile"?',
    },
    {
      name: "an unknown key of a rule",
      user: '{ "policy": { "rules": [\n { "act": "read", "decide": "blocked", "paths": "x" } ] } }',
      says: ':2: there is no key "paths" in policy.rules[0]; did you mean "path"?',
    },
    {
      name: "an unknown key of an agent",
      user: '{ "agents": { "a b": { "tool": {} } } }',
      says: ':1: there is no key "tool" in agents["a b"]; did you mean "tools"?',
    },
    {
      name: "a key that is like no other",
      user: '{ "tools": { "fs": { "xyzzyplugh": 1 } } }',
      says: ':1: there is no key "xyzzyplugh" in tools.fs; there are workspaceOnly',
    },
    {
      name: "a link that leads to no port",
      user: '{ "approvals": { "webhook": { "url": "http://h/", "link": "https://l/" } } }',
      says: ":1: approvals.webhook: link needs a port for it to lead to",
    },
    {
      name: "an unknown value of what may be several",
      user: '{ "policy": { "rules": [{ "act": "wirte", "decide": "blocked" }] } }',
      says: /:1: policy\.rules\[0\]\.act must be one of read, write, .*; did you mean "write"\?/,
    },
    {
      name: "an unknown value in a list of several",
      user: '{ "policy": { "rules": [{ "act": ["read", "wirte"], "decide": "blocked" }] } }',
      says: /:1: policy\.rules\[0\]\.act\[1\] must be one of read, write, .*; did you mean "write"\?/,
    },
    { name: "an unknown value", user: '{ "durability": "ever" }', says: /:1: durability must be one of / },
    { name: "a wrong type", user: '{\n\n"trashHours": "two" }', says: ":3: trashHours must be a number, not text" },
    {
      name: "a wrong verdict",
      user: '{ "policy": { "rules": [ { "act": "read",\n "decide": "allow" } ] } }',
      says: /:2: policy\.rules\[0\]\.decide must be one of /,
    },
    {
      name: "a wrong time",
      user: '{ "policy": { "rules": [ { "act": "read", "decide": "blocked", "when": { "from": "9", "until": "17:00" } } ] } }',
      says: 'policy.rules[0].when.from: give a time of the day such as "09:30"',
    },
    { name: "no JSON", user: '{\n "a" }', says: ':2: a ":" is missing before "}"' },
    { name: "no object", user: "[]", says: ":1: the file must be an object, not a list" },
    {
      name: "several at once",
      user: '{ "a1": 1,\n"b1": 2 }',
      says: /:1: there is no key "a1"[^]*:2: there is no key "b1"/,
    },
  ])("$name", ({ user, says }) => {
    expect(() => load({ user })).toThrow(says);
  });

  it("is told with the file it is in", () => {
    const { at, places } = machine({ system: "{}", user: '{ "x": 1 }' });
    expect(() => loadConfig(places)).toThrow(`Cannot use the configuration: ${at.user}:1: there is no key "x"`);
  });

  it("a file that was named has to be there", () => {
    expect(() => loadConfig(operatorPlaces({}, "/nowhere/x.jsonc", "/nowhere"))).toThrow(
      'Cannot use the configuration "/nowhere/x.jsonc": it does not exist; name another, or create it',
    );
  });

  it.each([
    { name: "a directory", plant: (file: string) => mkdirSync(file) },
    { name: "a pipe", plant: makeFifo },
    { name: "a link", plant: (file: string) => symlinkSync("/dev/zero", file) },
  ])("a workspace's file that is $name does not keep us waiting", ({ plant }) => {
    const { at, places } = machine({});
    plant(at.workspace);
    expect(() => loadConfig(places)).toThrow(/it is not a regular file|it cannot be opened/);
  });

  it("is not read when it is huge", () => {
    expect(() => load({ user: `{}${" ".repeat(2_000_000)}` })).toThrow(/it is larger than 1048576 bytes/);
  });
});

function makeFifo(file: string): void {
  needs("mkfifo");
  execFileSync("mkfifo", [file]);
}

describe("a workspace may only tighten", () => {
  it.each([
    { name: "allow more tools", workspace: '{ "tools": { "allow": ["*"] } }', says: "cannot set tools.allow" },
    { name: "add tools", workspace: '{ "tools": { "alsoAllow": ["exec"] } }', says: "cannot set tools.alsoAllow" },
    { name: "choose a profile", workspace: '{ "tools": { "profile": "full" } }', says: "cannot set tools.profile" },
    {
      name: "name commands",
      workspace: '{ "tools": { "exec": { "safeBins": ["rm"] } } }',
      says: "cannot set tools.exec.safeBins",
    },
    {
      name: "stop the loop guard",
      workspace: '{ "tools": { "loopDetection": { "enabled": false } } }',
      says: "cannot set tools.loopDetection.enabled",
    },
    {
      name: "speak about agents",
      workspace: '{ "agents": { "a": { "tools": { "deny": ["x"] } } } }',
      says: "cannot set agents.a.tools.deny",
    },
    {
      name: "start a language server",
      workspace: '{ "tools": { "diagnostics": { "servers": [{ "command": ["x"], "files": ["*"] }] } } }',
      says: "cannot set tools.diagnostics.servers",
    },
    { name: "show secrets", workspace: '{ "secrets": "off" }', says: "cannot set secrets" },
    {
      name: "run programs",
      workspace: '{ "hooks": { "afterCall": [{ "command": ["x"] }] } }',
      says: "cannot set hooks.afterCall",
    },
    { name: "name storages", workspace: '{ "sources": { "all": "/" } }', says: "cannot set sources.all" },
    { name: "choose a dialect", workspace: '{ "dialect": "picoclaw" }', says: "cannot set dialect" },
    { name: "add roots", workspace: '{ "roots": ["/"] }', says: "cannot set roots" },
    { name: "move the state", workspace: '{ "stateDirectory": "." }', says: "cannot set stateDirectory" },
    { name: "shorten the trash", workspace: '{ "trashHours": 1 }', says: "cannot set trashHours" },
    { name: "allow writing", workspace: '{ "readOnly": false }', says: "readOnly can only be true" },
    {
      name: "name plugins",
      workspace: '{ "plugins": ["x.mjs"] }',
      says: "cannot set plugins; put it into the user's own file",
    },
    {
      name: "free an act",
      workspace: '{ "policy": { "rules": [ { "act": "read", "decide": "autonomous" } ] } }',
      says: "autonomous does not",
    },
  ])("it cannot $name", ({ workspace, says }) => {
    const { at, places } = machine({ workspace });
    expect(() => loadConfig(places)).toThrow(says);
    expect(() => loadConfig(places)).toThrow(
      `Cannot use the configuration: ${at.workspace}:1: a workspace may only tighten`,
    );
  });

  it.each(["commands", "storages"])("it has no key %s", (key) => {
    expect(() => load({ workspace: `{ "${key}": {} }` })).toThrow(`there is no key "${key}"`);
  });

  it("it can close, ask, deny and stop writing", () => {
    const workspace = `{ "$schema": "x", "readOnly": true, "tools": { "deny": ["exec"] },
      "policy": { "template": "team", "rules": [ { "act": "read", "path": "x", "decide": "blocked" } ] } }`;
    const { root, at, places } = machine({ user: '{ "tools": { "deny": ["web_search"] } }', workspace });
    const { config, layers, originOf } = loadConfig(places);
    expect(config).toEqual({ readOnly: true, tools: { deny: ["web_search", "exec"] } });
    expect(originOf(["tools", "deny"])).toBe(`${at.user}:1, ${at.workspace}:1`);
    expect(layers).toEqual([
      { name: "user", rules: [] },
      {
        name: "workspace",
        template: { name: "team", origin: `${at.workspace}:2` },
        rules: [{ act: "read", path: "x", decide: "blocked", origin: `${at.workspace}:2` }],
        roots: [root],
      },
    ]);
  });
});

describe("where a value comes from", () => {
  const FILES: Files = {
    system: '{\n "durability": "power",\n "tools": { "deny": ["exec"] } }',
    organisation: '{ "trashHours": 5,\n "durability": "process" }',
    user: '{ "trashHours": 7, "contextWindow": 1000,\n "tools": { "deny": ["process"], "fs": {} } }',
  };

  it.each([
    { key: "durability", value: "power", origin: ({ system }: Files) => `${system}:2`, fixed: true },
    { key: "trashHours", value: 5, origin: ({ organisation }: Files) => `${organisation}:1`, fixed: true },
    { key: "contextWindow", value: 1000, origin: ({ user }: Files) => `${user}:1`, fixed: false },
    { key: "readOnly", value: undefined, origin: () => undefined, fixed: false },
  ] as const)("$key: $value", ({ key, value, origin, fixed }) => {
    const { at, places } = machine(FILES);
    const { config, originOf, isFixed } = loadConfig(places);
    expect([config[key], originOf([key]), isFixed([key])]).toEqual([value, origin(at), fixed]);
  });

  it("what is denied anywhere is denied", () => {
    expect(load(FILES).config.tools?.deny).toEqual(["exec", "process"]);
  });

  it("paths begin where the file lies, and absolute patterns are spelled as they really are", () => {
    const { home, at, places } = machine({ user: "{}" });
    mkdirSync(join(home, "real"));
    symlinkSync("real", join(home, "link"));
    const link = join(home, "link");
    const rule = {
      act: "read",
      path: [`${link}/x/**`, "rel/**"],
      decide: "blocked",
      when: { path_prefix: `${link}/y` },
    };
    const user = {
      roots: ["../work", "/srv", "memory://scratch"],
      sources: { a: "x", h: "~/h" },
      plugins: ["p.mjs"],
      stateDirectory: "s",
      policy: { rules: [rule] },
    };
    writeFileSync(at.user, JSON.stringify(user));
    const { config, layers } = loadConfig(places);
    expect(config).toEqual({
      roots: [join(home, "config/work"), "/srv", "memory://scratch"],
      sources: { a: join(home, "config/holdfast/x"), h: join(homedir(), "h") },
      plugins: [join(home, "config/holdfast/p.mjs")],
      stateDirectory: join(home, "config/holdfast/s"),
    });
    expect(layers[0]?.rules[0]).toMatchObject({
      path: [join(home, "real/x/**"), "rel/**"],
      when: { path_prefix: join(home, "real/y") },
    });
  });
});

describe("everything in the reference has its key", () => {
  const SCOPE = '"profile": "coding", "allow": ["read"], "deny": ["exec"]';
  const EXEC = `"exec": { "host": "gateway", "security": "allowlist", "ask": "on-miss", "pathPrepend": ["/x"], "safeBins": ["jq"],
    "backgroundMs": 10000, "timeoutSec": 1800, "applyPatch": { "enabled": true, "workspaceOnly": true, "allowModels": ["gpt-5.2"] } }`;

  it.each([
    { name: "tools", user: `{ "tools": { ${SCOPE}, "byProvider": { "openai/gpt-5.2": { "alsoAllow": ["x"] } } } }` },
    { name: "exec", user: `{ "tools": { ${EXEC} } }` },
    { name: "files", user: '{ "tools": { "fs": { "workspaceOnly": true } } }' },
    {
      name: "agents",
      user: `{ "agents": { "main": { "tools": { ${SCOPE}, ${EXEC}, "fs": { "workspaceOnly": false },
        "elevated": { "enabled": true, "allowFrom": { "cli": ["me"] } } } } } }`,
    },
    {
      name: "loop detection",
      user: `{ "tools": { "loopDetection": { "enabled": true, "historySize": 30, "warningThreshold": 10, "criticalThreshold": 20,
        "globalCircuitBreakerThreshold": 30, "detectors": { "genericRepeat": true, "knownPollNoProgress": true, "pingPong": false } } } }`,
    },
    { name: "sandbox", user: '{ "tools": { "sandbox": { "tools": { "allow": ["read"], "deny": ["exec"] } } } }' },
    {
      name: "sub-agents",
      user: '{ "tools": { "subagents": { "tools": { "alsoAllow": ["write"] }, "maxSpawnDepth": 2 } } }',
    },
    { name: "groups", user: '{ "groups": { "family": { "tools": { "deny": ["exec"] } } } }' },
  ])("$name", ({ user }) => {
    expect(load({ user }).config).toEqual(JSON.parse(user));
  });
});
