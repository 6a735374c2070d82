import { storageContract } from "../contracts/storage.ts";
import { memoryLayout } from "../layout.ts";

storageContract({ symlinks: true, permissions: false, containment: "in-memory" }, memoryLayout);
