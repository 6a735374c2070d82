import { expect, it } from "vitest";
import { isReadOnly, mountOf, parseMountInfo } from "../../../src/exec/sandbox/mountinfo.ts";

it("reads what the kernel says, the last mount of a place, and names in any script", () => {
  const name = "ä";
  const text = `22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 22 8:2 /me/a\\040b /work\\040${name} ro,nosuid shared:7 - ext4 /dev/sda2 rw
31 30 0:5 /null /work\\040${name}/.env ro - devtmpfs udev rw
32 22 8:2 /me/other /work\\040${name} rw - ext4 /dev/sda2 rw
`;
  const mounts = parseMountInfo(text);
  const shown = ["/tmp", "/work ä/a.ts", "/work ä/.env", "/works"].map((path) => mountOf(path, mounts));
  expect(shown.map((mount) => mount && [mount.path, mount.device, mount.source, isReadOnly(mount)])).toEqual([
    ["/", "8:1", "/", false],
    ["/work ä", "8:2", "/me/other", false],
    ["/work ä/.env", "0:5", "/null", true],
    ["/", "8:1", "/", false],
  ]);
});
