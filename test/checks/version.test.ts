import { gateContract } from "./gate-contract.ts";

const clean = {
  "package.json": '{ "version": "1.2.3" }\n',
  "package-lock.json": '{ "version": "1.2.3" }\n',
  "src/base/product.ts": 'export const PRODUCT = { version: "1.2.3" } as const;\n',
};

gateContract("check-version.mjs", clean, [
  {
    name: "a product of another version",
    tree: { "src/base/product.ts": 'export const PRODUCT = { version: "1.2.4" } as const;\n' },
    says: "src/base/product.ts: version 1.2.4, but package.json says 1.2.3",
  },
  {
    name: "a product without a version",
    tree: { "src/base/product.ts": "export const PRODUCT = {} as const;\n" },
    says: "src/base/product.ts: version undefined",
  },
  {
    name: "a lockfile of another version",
    tree: { "package-lock.json": '{ "version": "1.0.0" }\n' },
    says: "package-lock.json: version 1.0.0",
  },
]);
