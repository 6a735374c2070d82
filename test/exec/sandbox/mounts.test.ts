import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mountsOf } from "../../../src/exec/sandbox/mounts.ts";
import type { Bounds } from "../../../src/exec/sandbox/sandbox.ts";
import { layout } from "../../layout.ts";

const BOUNDS: Bounds = { roots: [], masked: [], readOnly: [], caches: [], network: "off", limits: {} };

/** Lists what a command sees below a directory, with paths relative to it. */
function mountsIn(top: string, bounds: Partial<Bounds>, closed: readonly string[] = []): readonly string[] {
  const mounts = mountsOf({ ...BOUNDS, ...bounds }, { home: join(top, "home"), closed });
  return mounts
    .filter(({ path }) => path.startsWith(`${top}/`))
    .map((mount) => {
      const detail = mount.kind === "bind" ? mount.access : mount.kind === "link" ? mount.target : "";
      return `${mount.kind} ${mount.path.slice(top.length + 1)} ${detail}`.trim();
    });
}

describe("what a command sees", () => {
  it("is the home without credentials, and the roots with what is hidden in them", () => {
    const top = layout(["home/.ssh/id_rsa = key", "home/.netrc = pass", "home/work/.env = x", "home/work/src/a = a"]);
    const work = join(top, "home/work");
    const bounds = { roots: [{ path: work, access: "rw" }], masked: [join(work, ".env"), join(work, "src")] } as const;
    expect(mountsIn(top, bounds)).toEqual([
      "bind home ro",
      "blank home/.netrc",
      "empty home/.ssh",
      "bind home/work rw",
      "closed home/work/.env",
      "empty home/work/src",
    ]);
  });

  it("is what can be read besides, but for what is hidden", () => {
    const top = layout(["home/.ssh/git/HEAD = x", "state/git/HEAD = x", "ok/git/HEAD = x", "ok/git/key = x"]);
    const at = (name: string): string => join(top, name);
    const readable = [at("home/.ssh/git"), at("state/git"), at("state"), at("ok/git")];
    expect(mountsIn(top, { readable, masked: [at("ok/git/key")] }, [at("state")])).toEqual([
      "bind home ro",
      "empty home/.ssh",
      "bind ok/git ro",
      "closed ok/git/key",
    ]);
  });

  it("has placeholders in a live root, whose parents cannot be moved away", () => {
    const top = layout(["root/.git/config = x"]);
    const root = join(top, "root");
    const readOnly = [".git/hooks", ".git/config", "a/b/c"].map((name) => join(root, name));
    expect(mountsIn(top, { roots: [{ path: root, access: "rw" }], readOnly })).toEqual([
      "bind root rw",
      "bind root/.git rw",
      "bind root/.git/config ro",
      "placeholder root/.git/hooks",
      "placeholder root/a",
    ]);
  });

  it("has no placeholders on a view, nor where it can only read", () => {
    const top = layout(["root/file = x", "other/file = x"]);
    const [root, other] = [join(top, "root"), join(top, "other")];
    const layer = { root, upper: join(top, "upper"), work: join(top, "work") };
    const bounds = {
      roots: [
        { path: root, access: "rw" },
        { path: other, access: "ro" },
      ],
      masked: [join(root, ".env"), join(other, ".env")],
      readOnly: [join(root, "file"), join(other, "file")],
      view: { id: "view", layers: [layer] },
    } as const;
    expect(mountsIn(top, bounds)).toEqual(["bind other ro", "bind root rw", "bind root/file ro"]);
  });

  it("has room for a cache in a home that has no such directory", () => {
    const top = layout(["home/.config/gcloud/token = x", "home/.config/app = x", "home/.profile = x", "cache/"]);
    symlinkSync(".profile", join(top, "home/.link"));
    const caches = [{ path: join(top, "home/.npm"), directory: join(top, "cache") }];
    expect(mountsIn(top, { caches })).toEqual([
      "empty home",
      "bind home/.config ro",
      "empty home/.config/gcloud",
      "link home/.link .profile",
      "bind home/.npm rw",
      "bind home/.profile ro",
    ]);
  });

  it("hides what a link leads to, and what only a longer path leads out of", () => {
    const top = layout(["home/dotfiles/ssh/key = x", "home/state/views/root/file = x", "home/state/token = x"]);
    symlinkSync("dotfiles/ssh", join(top, "home/.ssh"));
    const root = join(top, "home/state/views/root");
    expect(mountsIn(top, { roots: [{ path: root, access: "rw" }] }, [join(top, "home/state")])).toEqual([
      "bind home ro",
      "empty home/dotfiles/ssh",
      "empty home/state",
      "bind home/state/views/root rw",
    ]);
  });

  it("is nothing of a root without access", () => {
    const top = layout(["root/.env = x"]);
    const root = join(top, "root");
    const bounds = { roots: [{ path: root, access: "none" }], masked: [join(root, ".env")] } as const;
    expect(mountsIn(top, bounds)).toEqual(["empty root"]);
  });
});
