// The suites that a storage has to pass. Run: node --test examples/own-storage.test.mjs
import { describe, it } from "node:test";
import { objectStorage } from "holdfast";
import { changeSetSuite, hostilePathsSuite, objectStoreSuite, storageSuite, treeObjects } from "holdfast/testing";
import { tableStore } from "./table-store.mjs";

const make = (tree) => objectStorage(tableStore(treeObjects(tree))).mount("//ROOT");
const { capabilities } = make([]);

objectStoreSuite({ describe, it }, "table", tableStore);
changeSetSuite({ describe, it }, "table", tableStore);
storageSuite({ describe, it }, capabilities, make);
hostilePathsSuite({ describe, it }, { name: "table", symlinks: false }, make);
