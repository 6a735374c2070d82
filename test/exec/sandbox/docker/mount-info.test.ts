import { expect, it } from "vitest";
import { parseMountInfo } from "../../../../src/exec/sandbox/docker/mount-info.ts";

it("reads what the kernel says, the last mount of a place, and names in any script", () => {
  const name = "ä";
  const text = `22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 22 8:2 /me/a\\040b /work\\040${name} ro,nosuid shared:7 - ext4 /dev/sda2 rw
31 30 0:5 /null /work\\040${name}/.env ro - devtmpfs udev rw
32 22 8:2 /me/other /work\\040${name} rw - ext4 /dev/sda2 rw
`;
  expect(parseMountInfo(text)).toEqual([
    { target: "/", device: "8:1", source: "/", isReadOnly: false },
    { target: "/work ä", device: "8:2", source: "/me/other", isReadOnly: false },
    { target: "/work ä/.env", device: "0:5", source: "/null", isReadOnly: true },
  ]);
});
