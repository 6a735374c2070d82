import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { environmentOf } from "../../src/exec/environment.ts";

const OWN = {
  PATH: "/home/ann/project/bin:/usr/bin:relative::/bin:/usr/bin",
  HOME: "/home/ann",
  USER: "ann",
  LANG: "de_DE.UTF-8",
  LC_TIME: "C",
  TZ: "Europe/Berlin",
  GOPATH: "/home/ann/go",
  VIRTUAL_ENV: "/home/ann/project/.venv",
  OPENAI_API_KEY: "secret",
  NODE_OPTIONS: "--require /evil.js",
  LD_PRELOAD: "/evil.so",
  HTTPS_PROXY: "http://user:password@proxy",
  SSH_AUTH_SOCK: "/tmp/agent",
  XDG_RUNTIME_DIR: "/run/user/1000",
};

const environment = (requested: Record<string, string> = {}, pathPrepend: string[] = []) =>
  environmentOf({ own: OWN, requested, pathPrepend, writable: ["/home/ann/project"] });

describe("the environment of a command", () => {
  it("holds what the allow list names, and nothing that the agent can write to", () => {
    expect(environment({ MODE: "test" }, ["/opt/tools"]).variables).toEqual({
      PATH: "/opt/tools:/usr/bin:/bin",
      HOLDFAST_COMMAND: "1",
      HOME: "/home/ann",
      USER: "ann",
      LANG: "de_DE.UTF-8",
      LC_TIME: "C",
      TZ: "Europe/Berlin",
      GOPATH: "/home/ann/go",
      SHELL: "/bin/bash",
      TERM: "dumb",
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      MODE: "test",
    });
  });

  it("has a search path even where ours has no safe directory", () => {
    expect(environmentOf({ own: { PATH: "/w/bin" }, writable: ["/w"] }).variables["PATH"]).toBe(
      "/usr/local/bin:/usr/bin:/bin",
    );
  });

  it("has a digest that depends on values, not on their order", () => {
    expect(environment({ A: "1", B: "2" }).digest).toBe(environment({ B: "2", A: "1" }).digest);
    expect(environment({ A: "1" }).digest).not.toBe(environment({ A: "2" }).digest);
  });

  it.each([
    ..."LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP".split(" "),
    ..."PERL5OPT PERL5LIB RUBYOPT BASH_ENV BASHOPTS ENV SHELLOPTS PS4 IFS PATH HOME ZDOTDIR PROMPT_COMMAND".split(" "),
    ..."GIT_EXTERNAL_DIFF GIT_EXEC_PATH GIT_SSH_COMMAND GIT_CONFIG_COUNT GIT_PAGER GIT_EDITOR GIT_DIR".split(" "),
    ..."EDITOR VISUAL PAGER LESSOPEN BROWSER JAVA_TOOL_OPTIONS npm_config_script_shell RUSTC_WRAPPER".split(" "),
    ..."SSLKEYLOGFILE SSH_ASKPASS GLIBC_TUNABLES MAKEFLAGS ld_preload DOCKER_HOST HOLDFAST_HOME".split(" "),
    // Programs that build a sandbox get the environment of its command.
    ..."LIBMOUNT_MTAB LIBMOUNT_FSTAB LIBMOUNT_UTAB LIBMOUNT_DEBUG".split(" "),
  ])("cannot be given %s", (name) => {
    expect(() => environment({ [name]: "x" })).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringContaining(JSON.stringify(name)) }),
    );
  });

  it.each([
    ["a NUL in a value", { A: "1\0LD_PRELOAD=/evil.so" }],
    ["an assignment in a name", { "A=B": "1" }],
    ["a function of bash", { "BASH_FUNC_ls%%": "() { evil; }" }],
    ["an empty name", { "": "1" }],
    ["a name with a newline", { "A\n": "1" }],
  ])("cannot be given %s", (_, requested) => {
    expect(() => environment(requested)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it.each(["PYTHONUNBUFFERED", "GIT_AUTHOR_NAME", "NODE_ENV", "CI", "CC", "RUST_LOG", "DEBUG"])("takes %s", (name) => {
    expect(environment({ [name]: "1" }).variables[name]).toBe("1");
  });

  it("has a bound on what a call adds", () => {
    expect(() => environment({ A: "x".repeat(LIMITS.environmentBytes) })).toThrow(
      expect.objectContaining({ code: "too_large" }),
    );
  });
});
