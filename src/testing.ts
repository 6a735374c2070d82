export { hostilePathsSuite } from "./testing/hostile-paths.ts";
export type { MakeObjects } from "./testing/object-fixture.ts";
export { objectStoreSuite } from "./testing/object-store.ts";
export { storageSuite } from "./testing/storage.ts";
export type { TestFunctions } from "./testing/test-functions.ts";
export { type TreeEntry, treeEntries, treeObjects } from "./testing/tree.ts";
export { watchingSuite } from "./testing/watching.ts";
export { backupTreeSuite } from "./testing/writer-backups.ts";
export { type Changeable, writerSuite } from "./testing/writer.ts";
