import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { postJson } from "../../src/runtime/alerts/post-json.ts";

it("says that nothing listens, and shows no secret of the address", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const posted = postJson(`http://127.0.0.1:${port}/hook/s3cret?token=s3cret`, {});
  await expect(posted).rejects.toThrow(new Error(`nothing listens at http://127.0.0.1:${port}`));
});

it("says why an address cannot be reached at all", async () => {
  await expect(postJson("http://127.0.0.1:1/s3cret", {})).rejects.toThrow(
    new Error("cannot reach http://127.0.0.1:1: bad port"),
  );
});
