import { describe, expect, it } from "vitest";
import { isAllowed, isInternal, parseHostRule, parseTarget } from "../../../../src/exec/sandbox/network/hosts.ts";

describe("a target that a command asks for", () => {
  it.each([
    ["example.org:443", { host: "example.org", port: 443 }],
    ["EXAMPLE.org.:80", { host: "example.org", port: 80 }],
    ["93.184.216.34:443", { host: "93.184.216.34", port: 443 }],
    ["[2606:2800::1]:443", { host: "2606:2800::1", port: 443 }],
    ["_dmarc.example.org:443", { host: "_dmarc.example.org", port: 443 }],
  ])("is parsed: %s", (text, target) => {
    expect(parseTarget(text)).toEqual(target);
  });

  it.each([
    "example.org",
    "example.org:0",
    "example.org:65536",
    "example.org:443:80",
    "evil.org\0.example.org:443",
    "evil.org\r\nHost: example.org:443",
    "evil.org/.example.org:443",
    "evil.org#.example.org:443",
    "user@example.org:443",
    "ex ample.org:443",
    "exämple.org:443",
    "127.1:80",
    "0x7f000001:80",
    "2130706433:80",
    "0177.0.0.1:80",
    "example.1:80",
    "2606:2800::1:443",
    "[example.org]:443",
    "-example.org:443",
    ".example.org:443",
    "example..org:443",
    ":443",
    "",
  ])("is refused: %j", (text) => {
    expect(parseTarget(text)).toBeUndefined();
  });
});

describe("a list of hosts", () => {
  const rules = ["example.org", "*.cdn.example.org", "registry.example.org:8443", "10.1.2.3:80"].map(parseHostRule);

  it.each([
    ["example.org:443", true],
    ["example.org:80", true],
    ["example.org:22", false],
    ["www.example.org:443", false],
    ["a.cdn.example.org:443", true],
    ["a.b.cdn.example.org:443", true],
    ["cdn.example.org:443", false],
    ["evilcdn.example.org:443", false],
    ["registry.example.org:8443", true],
    ["registry.example.org:443", false],
    ["notexample.org:443", false],
    ["example.org.evil.com:443", false],
    ["10.1.2.3:80", true],
    ["10.1.2.4:80", false],
    ["93.184.216.34:443", false],
  ])("opens %s: %s", (text, isOpen) => {
    const target = parseTarget(text);
    expect(target && isAllowed(target, rules)).toBe(isOpen);
  });

  it.each(["", "*", "*.", "http://example.org", "example.org/path", "example.org:0", "*.10.0.0.1", "a b", "*.*.org"])(
    "cannot have %j",
    (entry) => {
      expect(() => parseHostRule(entry)).toThrow(expect.objectContaining({ code: "invalid_input" }));
    },
  );

  it.each([
    ["127.0.0.1", true],
    ["10.0.0.1", true],
    ["10.1.2.3", false],
    ["172.16.5.4", true],
    ["192.168.1.1", true],
    ["169.254.169.254", true],
    ["100.64.0.1", true],
    ["0.0.0.0", true],
    ["255.255.255.255", true],
    ["224.0.0.1", true],
    ["::1", true],
    ["::", true],
    ["::ffff:127.0.0.1", true],
    ["::ffff:8.8.8.8", true],
    ["64:ff9b::a00:1", true],
    ["fe80::1", true],
    ["fd00::1", true],
    ["2002:7f00:1::", true],
    ["8.8.8.8", false],
    ["172.32.0.1", false],
    ["2606:2800::1", false],
    ["not an address", true],
  ])("takes %s for internal: %s", (address, isInside) => {
    expect(isInternal(address, rules)).toBe(isInside);
  });
});
